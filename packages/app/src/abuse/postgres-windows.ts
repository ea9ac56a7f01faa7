/** A common table expression for the time of the server, by which all instances go. */
export const CLOCK = 'clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now)'

/**
 * Whether a row goes on. One whose window is over, or that a clock which was set back has left in the future, begins
 * again; a minute is left for rows of statements that ran side by side. `window` is SQL, in milliseconds.
 */
export const isCurrent = (row: string, window: string): string =>
  `${row}.expire BETWEEN excluded.expire - ${window} + 1 AND excluded.expire + 60000`

/** How many are known to be refused without asking. */
const MOST_REFUSED = 10_000

/** Who is refused until when. They cost the database nothing until then. */
export class KnownRefusals {
  readonly #now: () => number
  readonly #until = new Map<string, number>()

  /** `now` never goes back. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Milliseconds; 0 where it is not known. */
  leftOf(key: string): number {
    const until = this.#until.get(key)
    if (until === undefined) return 0
    const left = until - this.#now()
    if (left <= 0) this.#until.delete(key)
    return Math.max(0, left)
  }

  note(key: string, wait: number): void {
    this.#until.set(key, this.#now() + wait)
    if (this.#until.size <= MOST_REFUSED) return
    const [oldest] = this.#until.keys()
    if (oldest !== undefined) this.#until.delete(oldest)
  }
}
