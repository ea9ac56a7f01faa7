import { Unavailable } from '../errors.ts'

interface Outcome {
  readonly is: string
}

export interface Report<Failure> {
  readonly sent: number
  /** Tried and failed: waiting for another try, or parked. */
  readonly failures: readonly Failure[]
  /** The first error that kept something from being done or stored, or undefined: the next round begins with that. */
  readonly trouble: unknown
}

/**
 * Stores the outcomes of leased entries, and tells what was stored. What could not be stored is kept, and written with the
 * next round.
 */
export class Outcomes<Failure> {
  #unwritten: (() => Promise<void>)[] = []
  #troubles: unknown[] = []
  #sent = 0
  #failures: Failure[] = []

  /**
   * Writes these together; if storage is there and does not take them, each by itself: one that cannot be stored must not
   * keep the others from it. Never rejects: the next report contains the error. Whether all are stored.
   */
  async write<One extends Outcome>(
    outcomes: readonly One[],
    write: (some: readonly One[]) => Promise<readonly Failure[]>,
  ): Promise<boolean> {
    try {
      this.#failures.push(...(await write(outcomes)))
      this.#sent += outcomes.filter(({ is }) => is === 'sent').length
      return true
    } catch (trouble) {
      if (outcomes.length > 1 && !(trouble instanceof Unavailable)) {
        let all = true
        for (const outcome of outcomes) all = (await this.write([outcome], write)) && all
        return all
      }
      this.#unwritten.push(async () => void (await this.write(outcomes, write)))
      this.note(trouble)
      return false
    }
  }

  /** Tries again what could not be written. */
  async writeDown(): Promise<void> {
    for (const write of this.#unwritten.splice(0)) await write()
  }

  note(trouble: unknown): void {
    this.#troubles.push(trouble)
  }

  /** What was stored since the last report, and what went wrong since then. */
  report(): Report<Failure> {
    const [trouble] = this.#troubles.splice(0)
    const report = { sent: this.#sent, failures: this.#failures, trouble }
    this.#sent = 0
    this.#failures = []
    return report
  }

  /** @throws the first trouble since the last report; that is one for all of them */
  throwTrouble(): void {
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
