import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from './signing.ts'

/** An identity provider with these keys. It counts requests for anything that only a forger names. */
export class CountingProvider implements AsyncDisposable {
  /** Paths of requests that must not be made. */
  readonly lured: string[] = []
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async open(keys: readonly Json[]): Promise<CountingProvider> {
    const server = createServer()
    const provider = new CountingProvider(server)
    server.on('request', ({ url = '' }, response) => {
      const { issuer } = provider
      const answers: Readonly<Record<string, Json>> = {
        '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
        '/keys': { keys },
      }
      const answer = answers[url]
      if (answer === undefined) provider.lured.push(url)
      response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(answer ?? { keys }))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return provider
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
