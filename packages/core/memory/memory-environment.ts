import type { Clock, DomainNames, OutboxBell, Randomness } from '../src/index.ts'

/** A clock that stands still until it is told to move. */
export class MemoryClock implements Clock {
  #now: number

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
  }
}

/** Chance that repeats itself from run to run. */
export class MemoryRandomness implements Randomness {
  #state: number

  constructor(seed = 1) {
    this.#state = seed
  }

  hex(bytes: number): string {
    return Array.from({ length: bytes }, () =>
      Math.floor(this.fraction() * 256)
        .toString(16)
        .padStart(2, '0'),
    ).join('')
  }

  // Numerical Recipes' linear congruential generator: predictable is what a test wants.
  fraction(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0
    return this.#state / 2 ** 32
  }
}

/** Knows plain ASCII names, and the few others it is told. */
export const memoryDomainNames = (known: Readonly<Record<string, string>> = {}): DomainNames => ({
  toAscii: (domain) => (/^[\x21-\x7e]*$/.test(domain) ? domain.toLowerCase() : known[domain.toLowerCase()]),
})

/** Counts its rings. */
export class MemoryBell implements OutboxBell {
  rings = 0

  ring(): void {
    this.rings++
  }
}
