import { PreconditionFailed } from './errors.ts'

/** A condition of the caller on the current state; `undefined` means that it does not exist. */
export type Precondition<T> = (current: T | undefined) => boolean

/** @throws {PreconditionFailed} it does not hold; and what the caller's condition throws */
export const requireCondition = <T>(condition: Precondition<T> | undefined, current: T | undefined): void => {
  if (condition?.(current) === false) throw new PreconditionFailed()
}
