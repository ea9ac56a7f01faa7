import { Unavailable } from '@rollcall/core'

export type Work<Stores> = (stores: Stores) => Promise<unknown>

/** A unit of work that waits for a batch, or runs in one. */
export interface Unit<Stores> {
  readonly work: Work<Stores>
  readonly meanwhile: ((result: never) => void) | undefined
  readonly since: number
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** What became of a unit whose transaction is committed. */
export interface Outcome {
  /** While the disk is at work. */
  readonly prepare?: () => void
  /** When it is on the disk. */
  readonly answer: () => void
}

export const succeeded = ({ meanwhile, resolve, reject }: Unit<never>, value: unknown): Outcome => {
  const answer = (): void => resolve(value as never)
  if (meanwhile === undefined) return { answer }
  const prepare = (): void => {
    try {
      meanwhile(value as never)
    } catch (error) {
      reject(error)
    }
  }
  return { prepare, answer }
}

export const failed = ({ reject }: Unit<never>, error: unknown): Outcome => ({ answer: () => reject(error) })

export const rejectAll = (waiting: readonly { readonly reject: (error: unknown) => void }[], cause: unknown): void => {
  const unavailable = new Unavailable({ cause })
  for (const { reject } of waiting) reject(unavailable)
}
