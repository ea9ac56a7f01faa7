/** Those that ask at the same time get the same answer: each look would hold up everything else. */
export const sharing = <Found>(look: () => Promise<Found>): (() => Promise<Found>) => {
  let running: Promise<Found> | undefined
  return () => {
    running ??= look().finally(() => {
      running = undefined
    })
    return running
  }
}
