import { once } from 'node:events'
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { SELF_SIGNED } from './self-signed.ts'

/** What a server does with one request. */
export type Script = (req: IncomingMessage, res: ServerResponse) => void

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

/** An answer as a Rollcall server gives it: it names its request. */
export const answers =
  (status: number, body?: unknown, headers: Record<string, string> = {}): Script =>
  (req, res) => {
    const id = String(req.headers['x-request-id'] ?? 'none')
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    res.writeHead(status, { 'X-Request-Id': id, ...type, ...headers })
    res.end(body === undefined ? undefined : JSON.stringify(body))
  }

export const refuses = (status: number, error: string, headers: Record<string, string> = {}): Script =>
  answers(status, { error, message: `It says ${error}.` }, headers)

/** The connection breaks off before there is an answer. */
export const hangsUp: Script = (_, res) => {
  res.socket?.destroy()
}

/** A server that follows a script, one line per request; the last line repeats. */
export class ScriptedServer implements AsyncDisposable {
  readonly seen: Seen[] = []
  readonly #server: http.Server
  readonly #protocol: string

  private constructor(server: http.Server, protocol: string) {
    this.#server = server
    this.#protocol = protocol
  }

  static async play(...script: readonly Script[]): Promise<ScriptedServer> {
    return await ScriptedServer.#listen(http.createServer(), 'http', script)
  }

  static async playEncrypted(...script: readonly Script[]): Promise<ScriptedServer> {
    return await ScriptedServer.#listen(https.createServer(SELF_SIGNED), 'https', script)
  }

  static async #listen(server: http.Server, protocol: string, script: readonly Script[]): Promise<ScriptedServer> {
    const scripted = new ScriptedServer(server, protocol)
    const left = [...script]
    const handle: RequestListener = (req, res) => {
      let body = ''
      req.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      req.on('end', () => {
        const { method = '', url = '', headers } = req
        scripted.seen.push({ method, url, headers, body })
        const next = left.length > 1 ? left.shift() : left[0]
        next?.(req, res)
      })
    }
    server.on('request', handle)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return scripted
  }

  get url(): string {
    return `${this.#protocol}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}
