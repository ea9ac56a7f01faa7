import type { Server } from 'node:http'

/** Counts the requests that a server is answering. */
export class RequestsUnderway {
  #count = 0

  constructor(server: Server) {
    server.on('request', (_request, response) => {
      this.#count++
      response.once('close', () => this.#count--)
    })
  }

  get any(): boolean {
    return this.#count > 0
  }
}
