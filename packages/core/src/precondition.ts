/** A condition of the caller on the current state; `undefined` means that it does not exist. */
export type Precondition<T> = (current: T | undefined) => boolean
