import { once } from 'node:events'
import http, { type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What becomes of the entity tag of an answer; undefined removes it. */
export type ChangeTag = (tag: string, asked: IncomingHttpHeaders) => string | undefined

/** As nginx does with `gzip on` where the client takes gzip. */
export const weakIfCompressed: ChangeTag = (tag, asked) =>
  /\bgzip\b/.test(String(asked['accept-encoding'])) ? `W/${tag}` : tag

/** Stands in front of a service, and changes the entity tags of its answers. */
export class EntityTagProxy implements AsyncDisposable {
  readonly #server: http.Server

  private constructor(server: http.Server) {
    this.#server = server
  }

  static async start(upstream: string, change: ChangeTag): Promise<EntityTagProxy> {
    const server = http.createServer((asked, answer) => {
      const { method, headers } = asked
      const request = http.request(new URL(asked.url ?? '/', upstream), { method, headers }, (response) => {
        const { etag, ...others } = response.headers
        const changed = etag === undefined ? undefined : change(etag, headers)
        answer.writeHead(response.statusCode ?? 502, { ...others, ...(changed !== undefined && { etag: changed }) })
        response.pipe(answer)
      })
      request.on('error', () => answer.destroy())
      asked.pipe(request)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return new EntityTagProxy(server)
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}
