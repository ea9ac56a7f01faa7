import type { AddressHash } from '../subscriptions/email-address.ts'

/** How many hexadecimal digits of each hash it knows. */
export const PREFIX_DIGITS = 6
/** With more than these, most answers would be "perhaps". */
const MOST = 4_000_000

/** The beginnings of hashes, `PREFIX_DIGITS` digits each, one behind the other. */
export interface HashPrefixes<Place> {
  readonly prefixes: string
  /** What the next ones come behind; undefined at the end. */
  readonly next: Place | undefined
}

/** Says of most hashes, in two megabytes however many there are, that they are not among those that it was given. */
export class HashFilter {
  readonly #bits = new Uint8Array(2 ** (4 * PREFIX_DIGITS - 3))
  #count = 0

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Adds the hashes that are read from a place on. */
  async add<Place>(first: Place, read: (after: Place) => Promise<HashPrefixes<Place>>): Promise<void> {
    for (let after: Place | undefined = first; after !== undefined && this.#count <= MOST; ) {
      const { prefixes, next }: HashPrefixes<Place> = await read(after)
      for (let at = 0; at < prefixes.length; at += PREFIX_DIGITS)
        this.#set(Number.parseInt(prefixes.slice(at, at + PREFIX_DIGITS), 16))
      after = next
    }
    if (this.#count > MOST) this.#bits.fill(0xff)
  }

  /** False if it was certainly not given. */
  mayHave(hash: AddressHash): boolean {
    const bit = Number.parseInt(hash.slice(0, PREFIX_DIGITS), 16)
    return ((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0
  }

  #set(bit: number): void {
    this.#count++
    this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7))
  }
}
