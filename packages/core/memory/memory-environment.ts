import type { AuditAnchor, Clock, DomainNames, Randomness } from '../src/index.ts'

/** A clock that stands still until it is moved. */
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

/** Knows plain ASCII names, and the few others it is given, in lower case. */
export const memoryDomainNames = (known: Readonly<Record<string, string>> = {}): DomainNames => {
  const mapped = new Map(
    Object.entries(known).flatMap(([name, ascii]) => [
      [name.toLowerCase(), ascii],
      [ascii, ascii],
    ]),
  )
  const isPlain = (name: string): boolean => /^[a-z0-9._-]+$/.test(name) && !name.includes('xn--')
  return {
    toAscii: (domain) => {
      const name = domain.toLowerCase()
      return mapped.get(name) ?? (isPlain(name) ? name : undefined)
    },
  }
}

/** Keeps its text where a test can change it. */
export class MemoryAnchor implements AuditAnchor {
  text: string | undefined

  async read(): Promise<string | undefined> {
    return this.text
  }

  async write(text: string): Promise<void> {
    this.text = text
  }
}
