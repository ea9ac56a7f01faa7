import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds without a request before it counts as quiet: clients that were all answered at once ask again at once. */
const CALM = 2

/** Knows whether a server is answering requests. */
export class RequestsUnderway {
  #count = 0
  #endedAt = Number.NEGATIVE_INFINITY

  constructor(server: Pick<Server, 'on'>) {
    server.on('request', (_request, response) => {
      this.#count++
      response.once('close', () => {
        this.#count--
        this.#endedAt = performance.now()
      })
    })
  }

  get any(): boolean {
    return this.#count > 0
  }

  /** Resolves when none is being answered, nor was just now; or after so many milliseconds, for there may always be one. */
  async quiet(atMost: number): Promise<void> {
    const end = performance.now() + atMost
    for (let now = performance.now(); now < end && !this.#isCalm(now); now = performance.now()) await sleep(1)
  }

  #isCalm(now: number): boolean {
    return !this.any && now - this.#endedAt >= CALM
  }
}
