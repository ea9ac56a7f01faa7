import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

export interface Arrival {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
  readonly headers: Record<string, string>
  readonly body: string
}

type Reply = (response: ServerResponse) => void

export const answering =
  (status: number): Reply =>
  (response) =>
    response.writeHead(status).end()

/** A consumer of events: a real HTTP server that writes down what arrives, in its order. */
export class EventReceiver implements AsyncDisposable {
  readonly arrivals: Arrival[] = []
  /** What of it was answered with success, in the order of the answers. */
  readonly taken: Arrival[] = []
  /** How it answers, depending on the request. */
  reply: (arrival: Arrival) => Reply | Promise<Reply> = () => answering(204)
  readonly #server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '')
    if (body === '') return
    const headers = request.headers as Record<string, string>
    const { type, subject, data } = JSON.parse(body)
    const arrival = { id: headers['webhook-id'] ?? '', type, subject, data, headers, body }
    this.arrivals.push(arrival)
    const reply = await this.reply(arrival)
    reply(response)
    if (response.statusCode < 300) this.taken.push(arrival)
  })

  static async open(port = 0): Promise<EventReceiver> {
    const receiver = new EventReceiver()
    await receiver.listen(port)
    return receiver
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/events`
  }

  /** It refuses connections until it listens again. */
  async vanish(): Promise<void> {
    this.#server.closeAllConnections()
    if (!this.#server.listening) return
    this.#server.close()
    await once(this.#server, 'close')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.vanish()
  }
}

/** Whether it was signed with this secret, as the library of Standard Webhooks sees it. */
export const isSigned = (secret: string, { body, headers }: Arrival): boolean => {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
