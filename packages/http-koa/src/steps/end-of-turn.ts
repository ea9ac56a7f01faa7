let turn: Promise<void> | undefined

/**
 * Resolves when everything that came in with this turn of the event loop was seen to. Answers that wait for it go out
 * together: whoever reads them wakes once for many, not once for each.
 */
export const endOfTurn = (): Promise<void> => {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined
      resolve()
    })
  })
  return turn
}
