import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'

export interface Answered {
  readonly status: number
  readonly text: string
  /** Of the request, until its last byte was there. */
  readonly milliseconds: number
}

/** One browser that is logged in, as far as a server can tell; it asks one thing at a time. */
export class ConsoleClient {
  readonly origin: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  #cookie = ''

  private constructor(origin: string) {
    this.origin = origin
  }

  static async logIn(origin: string, link: string): Promise<ConsoleClient> {
    const client = new ConsoleClient(origin)
    await client.post('/login', { link: link.slice(link.lastIndexOf('/') + 1) })
    return client
  }

  /** @throws {Error} it was answered with anything but a page */
  async get(path: string): Promise<Answered> {
    const began = performance.now()
    const { answer, text } = await this.#ask('GET', path)
    const milliseconds = performance.now() - began
    if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}: ${text.slice(0, 500)}`)
    return { status: answer.statusCode, text, milliseconds }
  }

  /** Where it leads. */
  async post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<string> {
    const { answer, text } = await this.#ask('POST', path, String(new URLSearchParams(fields)))
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';')
      if (!pair.endsWith('=')) this.#cookie = pair
    }
    if (answer.statusCode !== 303) throw new Error(`${path} was answered ${answer.statusCode}: ${text.slice(0, 500)}`)
    return answer.headers.location ?? ''
  }

  get cookie(): { readonly name: string; readonly value: string; readonly url: string } {
    const [name = '', value = ''] = this.#cookie.split('=')
    return { name, value, url: this.origin }
  }

  close(): void {
    this.#agent.destroy()
  }

  async #ask(method: string, path: string, body = ''): Promise<{ answer: IncomingMessage; text: string }> {
    const type = method === 'POST' && { 'Content-Type': 'application/x-www-form-urlencoded' }
    const headers = { Origin: this.origin, Cookie: this.#cookie, 'Content-Length': Buffer.byteLength(body), ...type }
    const sent = request(`${this.origin}${path}`, { agent: this.#agent, method, headers }).end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk)
    return { answer, text: Buffer.concat(chunks).toString() }
  }
}
