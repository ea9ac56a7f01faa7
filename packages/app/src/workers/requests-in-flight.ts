import type { Server } from 'node:http'

/** Milliseconds. Less is what those take who ask again as soon as they are answered. */
const LULL = 2

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

  /** Resolves when there have been none for a moment; or after so many milliseconds, since there may always be one. */
  async idle(atMost: number): Promise<void> {
    if (this.#count === 0 && performance.now() - this.#lastEnd >= LULL) return
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
