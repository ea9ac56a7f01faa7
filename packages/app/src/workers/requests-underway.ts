import type { Server } from 'node:http'

/** Knows whether a server is answering requests. */
export class RequestsUnderway {
  #count = 0
  #waiting: (() => void)[] = []

  constructor(server: Pick<Server, 'on'>) {
    server.on('request', (_request, response) => {
      this.#count++
      response.once('close', () => this.#end())
    })
  }

  get any(): boolean {
    return this.#count > 0
  }

  /** Resolves when none is being answered; or after so many milliseconds, for there may always be one. */
  async quiet(atMost: number): Promise<void> {
    if (!this.any) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, atMost)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #end(): void {
    this.#count--
    if (this.any || this.#waiting.length === 0) return
    for (const go of this.#waiting.splice(0)) go()
  }
}
