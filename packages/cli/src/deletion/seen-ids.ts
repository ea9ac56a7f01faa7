const FIRST_CAPACITY = 1 << 12
const MOST = 1_000_000

/**
 * Tells repetitions in a list of any length, in at most 16 MiB: it keeps a 53-bit fingerprint of each of the first
 * million different ids. Two ids are mistaken for one at most once in ten thousand lists of a million, so nothing may
 * hang on it but a count.
 */
export class SeenIds {
  // Open addressing; 0 is an empty slot.
  #slots = new Float64Array(FIRST_CAPACITY)
  #size = 0

  /** Whether the id is new; if so it is remembered. */
  add(id: string): boolean {
    const print = fingerprint(id)
    const slot = slotOf(this.#slots, print)
    if (this.#slots[slot] === print) return false
    if (this.#size >= MOST) return true
    this.#slots[slot] = print
    if (++this.#size * 2 > this.#slots.length) this.#grow()
    return true
  }

  #grow(): void {
    const larger = new Float64Array(this.#slots.length * 2)
    for (const print of this.#slots) if (print !== 0) larger[slotOf(larger, print)] = print
    this.#slots = larger
  }
}

const slotOf = (slots: Float64Array, print: number): number => {
  let slot = print % slots.length
  while (slots[slot] !== 0 && slots[slot] !== print) slot = (slot + 1) % slots.length
  return slot
}

// Two multiplicative hashes of 32 bits, each finished as MurmurHash3 does, joined to a positive integer below 2^53.
const fingerprint = (text: string): number => {
  let high = 0x2545f491
  let low = 0x9e3779b9
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x85ebca6b)
    low = Math.imul(low ^ unit, 0xc2b2ae35)
  }
  return (finished(high) & 0x1fffff) * 0x1_0000_0000 + (finished(low) || 1)
}

const finished = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
