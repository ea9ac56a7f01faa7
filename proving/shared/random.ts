/** Numbers that a seed decides: the same seed and stream give the same ones, on every machine. */
export class Random {
  #a: number
  #b: number
  #c = 0x9e3779b9
  #counter = 1

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0
    this.#b = stream | 0
    for (let round = 0; round < 12; round++) this.unsigned()
  }

  /**
   * From 0 to 2^32 - 1.
   * @see https://pracrand.sourceforge.net/RNG_engines.txt, sfc32
   */
  unsigned(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    return this.unsigned() / 2 ** 32
  }

  between(least: number, most: number): number {
    return least + this.fraction() * (most - least)
  }

  /** A whole number from 0 to the one before. */
  below(end: number): number {
    return Math.floor(this.fraction() * end)
  }

  /** A whole number; both ends are possible. */
  whole(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  oneIn(times: number): boolean {
    return this.below(times) === 0
  }

  /** @throws {RangeError} there are no items */
  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new RangeError('There is nothing to pick from.')
    return items[this.below(items.length)] as Item
  }

  /** Undefined if there are no items. */
  pickIfAny<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)]
  }

  /** The same items in another order. */
  shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, place: this.unsigned() }))
      .sort((a, b) => a.place - b.place)
      .map(({ item }) => item)
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)))
  }

  /** Mostly small, sometimes large; 1 at least. */
  few(most: number): number {
    let count = 1
    while (count < most && !this.oneIn(2)) count++
    return count
  }

  /** Another generator, so that what uses it does not change the numbers that come from this one. */
  fork(): Random {
    return new Random(this.unsigned(), this.unsigned())
  }
}
