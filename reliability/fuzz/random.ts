/** Numbers that a seed decides: the same seed and stream give the same ones, on every machine. */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0
    this.#b = stream | 0
    this.#c = 0x9e3779b9
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

  /** From 0 to the number before. */
  below(end: number): number {
    return Math.floor((this.unsigned() / 2 ** 32) * end)
  }

  /** One time of so many. */
  oneIn(times: number): boolean {
    return this.below(times) === 0
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item
  pick<Item>(items: readonly Item[]): Item | undefined
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)]
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)))
  }

  /** Mostly few, sometimes many; 1 at least. */
  few(most: number): number {
    let count = 1
    while (count < most && !this.oneIn(2)) count++
    return count
  }
}
