import { hash } from 'node:crypto'

const FIRST_CAPACITY = 1 << 12
const MOST = 1_000_000
/** 32-bit words of a fingerprint. */
const WORDS = 4

/**
 * Finds repetitions in a list of any length, in at most 48 MiB: it keeps 128 bits of the SHA-256 of each of the first
 * million different ids, so that no two of them are ever mistaken for one.
 */
export class SeenIds {
  // Open addressing; four zeros are an empty slot.
  #slots = new Uint32Array(FIRST_CAPACITY * WORDS)
  #size = 0

  /** Whether the id is new; if so it is remembered. */
  add(id: string): boolean {
    const print = fingerprint(id)
    const at = slotOf(this.#slots, print)
    if (!isEmpty(this.#slots, at)) return false
    if (this.#size >= MOST) return true
    this.#slots.set(print, at)
    if (++this.#size * 2 > this.#slots.length / WORDS) this.#grow()
    return true
  }

  #grow(): void {
    const [slots, larger] = [this.#slots, new Uint32Array(this.#slots.length * 2)]
    for (let at = 0; at < slots.length; at += WORDS) {
      if (isEmpty(slots, at)) continue
      const print = slots.subarray(at, at + WORDS)
      larger.set(print, slotOf(larger, print))
    }
    this.#slots = larger
  }
}

/** Where the fingerprint is, or would be. */
const slotOf = (slots: Uint32Array, print: Uint32Array): number => {
  let at = (word(print, 0) * WORDS) % slots.length
  while (!isEmpty(slots, at) && !isAt(slots, at, print)) at = (at + WORDS) % slots.length
  return at
}

const word = (words: Uint32Array, at: number): number => words[at] ?? 0

const isEmpty = (slots: Uint32Array, at: number): boolean =>
  word(slots, at) === 0 && word(slots, at + 1) === 0 && word(slots, at + 2) === 0 && word(slots, at + 3) === 0

const isAt = (slots: Uint32Array, at: number, print: Uint32Array): boolean =>
  word(slots, at) === word(print, 0) &&
  word(slots, at + 1) === word(print, 1) &&
  word(slots, at + 2) === word(print, 2) &&
  word(slots, at + 3) === word(print, 3)

const print = new Uint32Array(WORDS)

/** The next call writes over it. */
const fingerprint = (text: string): Uint32Array => {
  // A text of 32 characters, one for each byte: a buffer would be memory outside the heap for every id.
  const digest = hash('sha256', text, 'binary')
  for (let at = 0; at < WORDS; at++) {
    const from = at * 4
    const [high, low] = [digest.charCodeAt(from) * 256 + digest.charCodeAt(from + 1), digest.charCodeAt(from + 2)]
    print[at] = high * 65_536 + low * 256 + digest.charCodeAt(from + 3)
  }
  return print
}
