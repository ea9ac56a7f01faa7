import { setTimeout as sleep } from 'node:timers/promises'
import { parseHttpDate, parseRetryAfter } from '@rollcall/platform-node'
import { type CliError, interrupted } from '../cli-error.ts'
import { serverError } from './server-error.ts'

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
  readonly #options: RetryOptions
  #pauseUntil = 0

  constructor(options: RetryOptions) {
    this.#options = options
  }

  /**
   * Resolves when the server may be asked again.
   * @throws {CliError} Ctrl-C was pressed instead
   */
  async pause(): Promise<void> {
    const { signal } = this.#options
    for (;;) {
      if (signal.aborted) throw interrupted('Interrupted.')
      const left = this.#pauseUntil - performance.now()
      if (left <= 0) return
      await sleep(left, undefined, { signal }).catch(() => undefined)
    }
  }

  /**
   * Makes all requests wait once more.
   * @returns the trouble so far; undefined if it has lasted too long, or would
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
    if (isNews) await this.#options.note(`${why} Going on in ${Math.ceil(pause / SECOND)} s.`)
    return { since, times: times + 1 }
  }
}

/** The error when a server says that it will be busy for longer than one waits. */
export const stillBusy = (status: number, after: number | undefined): CliError | undefined => {
  if (after === undefined) return undefined
  const message = `The server is busy. Run the command again in ${Math.ceil(after / SECOND)} s.`
  return serverError(status === 429 ? 'TooManyRequests' : 'Unavailable', message)
}

/** Milliseconds that a server asks to wait; a date is compared to its own clock, if it says what that shows. */
export const retryAfter = (headers: Headers): number | undefined =>
  parseRetryAfter(headers.get('Retry-After'), parseHttpDate(headers.get('Date') ?? '') ?? Date.now())
