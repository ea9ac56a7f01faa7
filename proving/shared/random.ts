/** Numbers that a seed decides: the same seed gives the same ones, on every machine. */
export class Random {
  #a: number
  #b: number
  #c = 0x9e3779b9
  #counter = 1

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0
    this.#b = stream | 0
    for (let round = 0; round < 12; round++) this.#unsigned()
  }

  /**
   * From 0 to 2^32 - 1.
   * @see https://pracrand.sourceforge.net/RNG_engines.txt, sfc32
   */
  #unsigned(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    return this.#unsigned() / 2 ** 32
  }

  between(least: number, most: number): number {
    return least + this.fraction() * (most - least)
  }

  /** A whole number; both ends are possible. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1))
  }

  /** @throws {RangeError} there are no items */
  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new RangeError('There is nothing to pick from.')
    return items[this.whole(0, items.length - 1)] as Item
  }

  /** Another generator, so that what uses it does not change the numbers that come from this one. */
  fork(): Random {
    return new Random(this.#unsigned(), this.#unsigned())
  }
}
