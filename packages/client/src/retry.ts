import type { RetryOptions } from './types.ts'

const SECOND = 1_000
const FIRST_DELAY = 500

/** Too many requests; what is in front of the server got no answer; the server is not available. */
export const TRANSIENT: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Seconds that a server asks to wait; a date is compared to its own clock, if it says what that shows. */
export const retryAfterOf = (headers: Headers): number | undefined => {
  const text = headers.get('Retry-After')?.trim()
  if (!text) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const now = Date.parse(headers.get('Date') ?? '') || Date.now()
  const seconds = Math.ceil((Date.parse(text) - now) / SECOND)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Decides whether and when a request is sent again. */
export class Retries {
  readonly #most: number
  readonly #maxDelay: number
  tries = 0

  constructor(options: RetryOptions | false = {}, isRepeatable: boolean) {
    const { tries = 4, maxDelay = 30 * SECOND } = options || { tries: 1 }
    this.#most = isRepeatable ? tries : 1
    this.#maxDelay = maxDelay
  }

  /** Waits for the next try, if there is one; `asked` is how many seconds the server wants. */
  async wait(asked: number | undefined, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.tries >= this.#most) return false
    // Not all clients come back at the same time.
    const delay = Math.min(FIRST_DELAY * 2 ** (this.tries - 1), this.#maxDelay) * (0.5 + Math.random() / 2)
    const longer = Math.max(delay, (asked ?? 0) * SECOND)
    if (longer > this.#maxDelay) return false
    await sleep(longer, signal)
    return true
  }
}

const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
