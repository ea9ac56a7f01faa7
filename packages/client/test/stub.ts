import type { ClientOptions } from '../src/index.ts'

/** A request as the client sent it. */
export interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly redirect: string | undefined
  readonly signal: AbortSignal | null | undefined
}

type Line = Response | Error | (() => Response | Promise<Response>)

/** A `fetch` that follows a script, one line per request; the last line repeats. */
export class StubFetch {
  readonly sent: Sent[] = []
  readonly #script: Line[]

  constructor(...script: Line[]) {
    this.#script = script
  }

  /** For a client that is to use it. */
  get options(): ClientOptions {
    return { url: 'https://news.example.com', fetch: (url, init) => this.#fetch(url, init) }
  }

  get targets(): string[] {
    return this.sent.map(({ method, url }) => `${method} ${url.replace('https://news.example.com', '')}`)
  }

  async #fetch(url: string, { method = 'GET', headers, body, redirect, signal }: RequestInit = {}): Promise<Response> {
    this.sent.push({ url, method, headers: Object.fromEntries(new Headers(headers)), body, redirect, signal })
    const line = this.#script.length > 1 ? this.#script.shift() : this.#script[0]
    if (line instanceof Error) throw line
    if (line instanceof Response) return line.clone()
    return (await line?.()) ?? new Response(null, { status: 204 })
  }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })

export const refusal = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  json({ error, message: `It says ${error}.` }, status, { 'X-Request-Id': 'r-1', ...headers })

/** An answer in these pieces. */
export const pieces = (type: string, ...texts: readonly string[]): Response =>
  new Response(ReadableStream.from(texts.map((text) => new TextEncoder().encode(text))), {
    headers: { 'Content-Type': type },
  })

/** As `fetch` fails where there is no connection. */
export const lost = (): Error => new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
