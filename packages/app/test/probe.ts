import { once } from 'node:events'
import net from 'node:net'

interface ProbeAnswer {
  /** The whole answer as it came, head and body. */
  readonly text: string
  readonly milliseconds: number
}

/** One connection that is kept, and asked one thing after another. */
export class Probe implements Disposable {
  readonly #socket: net.Socket
  readonly #port: number

  private constructor(socket: net.Socket, port: number) {
    this.#socket = socket
    this.#port = port
  }

  static async open(port: number): Promise<Probe> {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    return new Probe(socket, port)
  }

  async post(path: string, fields: Readonly<Record<string, string>>): Promise<ProbeAnswer> {
    const body = new URLSearchParams(fields).toString()
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${this.#port}`,
      'X-Request-Id: probe',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    let text = ''
    const begun = performance.now()
    this.#socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    while (!isWhole(text)) text += (await once(this.#socket, 'data'))[0]
    return { text, milliseconds: performance.now() - begun }
  }

  [Symbol.dispose](): void {
    this.#socket.destroy()
  }
}

const isWhole = (text: string): boolean => {
  const end = text.indexOf('\r\n\r\n')
  const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? Number.NaN)
  return end >= 0 && Buffer.byteLength(text) - end - 4 >= length
}
