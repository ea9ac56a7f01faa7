/** Milliseconds. */
const WINDOW = 60_000
const SLOTS = 12
const SLOT = WINDOW / SLOTS
/** A bin ends two percent above the one before: the difference is not seen, and few bins reach from the least to the most. */
const GROWTH = Math.log(1.02)
/** How often the answer is worked out anew. */
const REFRESH = 50
/** Of all durations. */
const SLOW = 0.01

interface Span {
  /** Milliseconds. */
  readonly least: number
  readonly most: number
}

/** How long the slowest percent of the last minute took, in constant memory. */
export class RecentDurations {
  readonly #least: number
  readonly #most: number
  readonly #slots: readonly Uint32Array[]
  readonly #sums: Uint32Array
  #slot = 0
  #count = 0
  #known = { value: 0, until: Number.NEGATIVE_INFINITY }

  /** Values beyond the span count as its ends. */
  constructor({ least, most }: Span) {
    this.#least = least
    this.#most = most
    const bins = Math.ceil(Math.log(most / least) / GROWTH) + 1
    this.#slots = Array.from({ length: SLOTS }, () => new Uint32Array(bins))
    this.#sums = new Uint32Array(bins)
  }

  /** Both in milliseconds; `now` never goes back. */
  note(duration: number, now: number): void {
    this.#forget(now)
    const bin = this.#binOf(duration)
    const slot = this.#slots[this.#slot % SLOTS]
    if (slot === undefined) return
    slot[bin] = (slot[bin] ?? 0) + 1
    this.#sums[bin] = (this.#sums[bin] ?? 0) + 1
    this.#count++
  }

  /**
   * What the slowest percent took at least. Always one duration is left out: one that was slow by chance shall not hold up
   * all others for a minute.
   */
  slowest(now: number): number {
    if (now < this.#known.until) return this.#known.value
    this.#forget(now)
    const value = this.#find()
    this.#known = { value, until: now + REFRESH }
    return value
  }

  #find(): number {
    let beyond = Math.max(1, Math.floor(this.#count * SLOW))
    for (let bin = this.#sums.length - 1; bin > 0; bin--) {
      beyond -= this.#sums[bin] ?? 0
      if (beyond < 0) return Math.min(this.#most, this.#least * Math.exp(bin * GROWTH))
    }
    return this.#least
  }

  #binOf(duration: number): number {
    if (duration <= this.#least) return 0
    return Math.min(this.#sums.length - 1, Math.ceil(Math.log(duration / this.#least) / GROWTH))
  }

  #forget(now: number): void {
    const slot = Math.floor(now / SLOT)
    if (this.#count === 0 || slot - this.#slot >= SLOTS) {
      for (const old of this.#slots) old.fill(0)
      this.#sums.fill(0)
      this.#count = 0
      this.#slot = slot
    }
    while (this.#slot < slot) this.#forgetSlot(++this.#slot % SLOTS)
  }

  #forgetSlot(index: number): void {
    const old = this.#slots[index]
    if (old === undefined) return
    for (const [bin, count] of old.entries()) {
      this.#sums[bin] = (this.#sums[bin] ?? 0) - count
      this.#count -= count
    }
    old.fill(0)
  }
}
