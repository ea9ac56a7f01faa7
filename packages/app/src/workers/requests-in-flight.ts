import type { Server } from 'node:http'
import perfHooks from 'node:perf_hooks'

/** Milliseconds. Less is what those take who ask again as soon as they are answered. */
const LULL = 2
/** Of the time of the event loop. */
const SATURATION = 0.9

/** Knows whether a server is answering requests. */
export class RequestsInFlight {
  #count = 0
  #lastEnd = Number.NEGATIVE_INFINITY
  #waiting: (() => void) | undefined
  #lull: NodeJS.Timeout | undefined
  /** One for all responses. */
  readonly #end = (): void => {
    this.#count--
    if (this.#count > 0) return
    this.#lastEnd = performance.now()
    if (this.#waiting) this.#awaitLull()
  }

  constructor(server: Pick<Server, 'on'>) {
    server.on('request', (_request, response) => {
      this.#count++
      clearTimeout(this.#lull)
      response.on('close', this.#end)
    })
  }

  /** Whether some are being answered, or were just now. */
  get active(): boolean {
    return this.#count > 0 || performance.now() - this.#lastEnd < LULL
  }

  /**
   * Resolves when there have been none for a moment; or after so many milliseconds, since there may always be one.
   * @param whereSaturated how many instead, where the event loop had no time left in the first `atMost`
   */
  async idle(atMost: number, whereSaturated = atMost): Promise<void> {
    const before = perfHooks.performance.eventLoopUtilization()
    await this.#lullWithin(atMost)
    if (whereSaturated <= atMost || perfHooks.performance.eventLoopUtilization(before).utilization < SATURATION) return
    await this.#lullWithin(whereSaturated - atMost)
  }

  async #lullWithin(atMost: number): Promise<void> {
    if (!this.active) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, atMost)
      this.#waiting = () => {
        clearTimeout(timer)
        resolve()
      }
      if (this.#count === 0) this.#awaitLull()
    })
    this.#waiting = undefined
    clearTimeout(this.#lull)
  }

  #awaitLull(): void {
    this.#lull = setTimeout(() => this.#waiting?.(), LULL)
  }
}
