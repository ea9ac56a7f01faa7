const LEAST = 1
/** At most so much more than the last time: what was slow once is often slow again. */
const GROWTH = 1.25
const SHRINKAGE = 0.25

/** For how many milliseconds units may go on in one transaction, learnt from how long the lock was held before. */
export class LockBudget {
  readonly #aim: number
  readonly #most: number
  forUnits: number

  /** @param aim milliseconds to hold the lock, commit included; `most` of them for units */
  constructor(aim: number, most: number) {
    this.#aim = aim
    this.#most = most
    this.forUnits = most / 2
  }

  /** Records for how many milliseconds the lock was held. */
  note(held: number): void {
    const change = Math.min(GROWTH, Math.max(SHRINKAGE, this.#aim / held))
    this.forUnits = Math.min(this.#most, Math.max(LEAST, this.forUnits * change))
  }
}
