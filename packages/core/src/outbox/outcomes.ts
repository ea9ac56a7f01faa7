import { DAY, HOUR, type Instant, SECOND } from '../instant.ts'
import type { OutboxEntry } from './outbox-store.ts'

/**
 * Stores the outcomes of leased entries. What could not be stored is kept: the leases are still renewed,
 * so it must be written in the end.
 */
export class Outcomes {
  #unwritten: (() => Promise<void>)[] = []
  #troubles: unknown[] = []

  /** Never rejects: the next report contains the error. */
  async write(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (trouble) {
      this.#unwritten.push(write)
      this.note(trouble)
    }
  }

  /** Tries again what could not be written. */
  async writeDown(): Promise<void> {
    for (const write of this.#unwritten.splice(0)) await this.write(write)
  }

  note(trouble: unknown): void {
    this.#troubles.push(trouble)
  }

  /** @throws the first trouble since the last report; that is one for all of them */
  report(): void {
    const [trouble] = this.#troubles.splice(0)
    if (trouble !== undefined) throw trouble
  }
}

const LONGEST_MESSAGE = 500
/** Relays may say anything at any length; and what is matched must be bounded before it is matched. */
const LONGEST_READ = 1_000
const ADDRESS = /[^\s<>"(),:;[\]]+@[^\s<>"(),:;[\]]*/g

/**
 * What a mail failed of, for an operator to read. Relays like to repeat the address, which must not outlive its
 * subscription: every one is left out, and so is a word that was cut and may have been one.
 */
export const describeFailure = (error: unknown): string => {
  const said = error instanceof Error ? error.message : String(error)
  const read = said.length > LONGEST_READ ? said.slice(0, LONGEST_READ).replace(/\S*$/, '') : said
  return legible(read.replace(ADDRESS, '<address>')).slice(0, LONGEST_MESSAGE).toWellFormed().trim()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
const legible = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

const FIRST_DELAY = 5 * SECOND
const LONGEST_DELAY = 1 * HOUR

const GIVE_UP_AFTER = 2 * DAY
/** What comes to an hour and more. */
const GIVE_UP_AFTER_ATTEMPTS = 10

/**
 * Whether a mail has failed for long enough to wait for a person: for two days; and for an hour at least, where it had
 * waited for those two days before it was tried, or a person has had it tried again.
 */
export const isGivenUp = (
  { createdAt, attempts }: Pick<OutboxEntry, 'createdAt' | 'attempts'>,
  now: Instant,
): boolean => now - createdAt >= GIVE_UP_AFTER && attempts >= GIVE_UP_AFTER_ATTEMPTS

/**
 * When to try again after so many tries: exponential, at most an hour, half of it by chance so that what failed
 * together does not come back together.
 */
export const nextAttemptAt = (attempts: number, now: Instant, fraction: number): Instant => {
  const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.max(0, attempts - 1))
  return now + Math.round(delay / 2 + (delay / 2) * fraction)
}
