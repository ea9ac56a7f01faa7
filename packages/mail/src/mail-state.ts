/**
 * What is to become of a mail that asks, shared by both threads: on a busy machine, the thread that sends may be slow to
 * begin what it was told is due. Whoever comes first decides: one forgets the mail, or the other begins it.
 */
export type MailState = Int32Array<SharedArrayBuffer>
export const [OPEN, FORGOTTEN, BEGUN] = [0, 1, 2] as const

/** The state that it was in; only an open one becomes another. */
export const decideOnce = (state: MailState, next: typeof FORGOTTEN | typeof BEGUN): number =>
  Atomics.compareExchange(state, 0, OPEN, next)
