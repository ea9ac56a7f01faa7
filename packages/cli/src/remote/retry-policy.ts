import { setTimeout as sleep } from 'node:timers/promises'
import { CliError, ExitCode, interrupted } from '../cli-error.ts'

const SECOND = 1_000
/** Of one request, in all. */
const LONGEST = 180 * SECOND
const LONGEST_SILENCE = 60 * SECOND
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30 * SECOND

/** Why one request has no answer yet. */
export interface RetryReason {
  /** For a person. */
  readonly why: string
  /** When it was sent. */
  readonly began: number
  /** Milliseconds that the server asks for; without them the pauses grow by themselves. */
  readonly after?: number | undefined
  /** A read that got no answer at all: waiting longer has little use. */
  readonly silentRead?: boolean | undefined
}

/** How long one request has been in trouble, and how often. */
export interface RetryState {
  readonly since: number
  readonly times: number
}

export interface RetryOptions {
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Says to a person why nothing happens. */
  readonly note: (sentence: string) => Promise<void>
}

/** Waits for a server that is busy or away; all requests to it wait together, for as long as it says. */
export class RetryPolicy {
  readonly #signal: AbortSignal
  readonly #note: RetryOptions['note']
  #pauseUntil = 0

  constructor({ signal, note }: RetryOptions) {
    this.#signal = signal
    this.#note = note
  }

  /**
   * Resolves when the server may be asked again.
   * @throws {CliError} Ctrl-C was pressed instead
   */
  async pause(): Promise<void> {
    for (;;) {
      if (this.#signal.aborted) throw interrupted('Interrupted.')
      const left = this.#pauseUntil - performance.now()
      if (left <= 0) return
      await sleep(left, undefined, { signal: this.#signal }).catch(() => undefined)
    }
  }

  /**
   * Makes all requests wait once more.
   * @returns the trouble so far; undefined where it has lasted too long, or would
   */
  async further(
    { why, began, after = 0, silentRead }: RetryReason,
    before: RetryState | undefined,
  ): Promise<RetryState | undefined> {
    const now = performance.now()
    const { since, times } = before ?? { since: began, times: 0 }
    const pause = Math.max(after, Math.min(FIRST_PAUSE * 2 ** times, LONGEST_PAUSE))
    if (now + pause - since > (silentRead ? LONGEST_SILENCE : LONGEST)) return undefined
    // Another request has noted it already.
    const isNews = this.#pauseUntil <= now
    this.#pauseUntil = Math.max(this.#pauseUntil, now + pause)
    if (isNews) await this.#note(`${why} Going on in ${Math.ceil(pause / SECOND)} s.`)
    return { since, times: times + 1 }
  }
}

/** The error when a server says that it will be busy for longer than one waits. */
export const stillBusy = (status: number, after: number | undefined): CliError | undefined =>
  after === undefined
    ? undefined
    : new CliError(`The server is busy. Run the command again in ${Math.ceil(after / SECOND)} s.`, {
        name: status === 429 ? 'TooManyRequests' : 'Unavailable',
        exitCode: ExitCode.unusable,
      })
