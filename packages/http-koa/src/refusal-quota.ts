const LINES_PER_SECOND = 10
const SECOND = 1_000

/** Lets only so many lines a second through, so that a flood of refusals is not a flood of log. */
export class RefusalQuota {
  #second = 0
  #lines = 0
  #withheld = 0

  /** How many lines were withheld since the last one that was let through; undefined where this one is withheld. */
  admit(now: number): number | undefined {
    const second = Math.floor(now / SECOND)
    if (second !== this.#second) {
      this.#second = second
      this.#lines = 0
    }
    if (++this.#lines > LINES_PER_SECOND) {
      this.#withheld++
      return undefined
    }
    const withheld = this.#withheld
    this.#withheld = 0
    return withheld
  }
}
