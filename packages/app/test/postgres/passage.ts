import { once } from 'node:events'
import net from 'node:net'

/** A way to a server that can be cut, as by a crash of it, or say nothing, and be mended. */
export class Passage implements AsyncDisposable {
  readonly #target: { readonly host: string; readonly port: number }
  readonly #sockets = new Set<net.Socket>()
  #server: net.Server | undefined
  #port = 0
  /** Whatever the server answers is lost. */
  isSilent = false

  constructor(target: URL) {
    this.#target = { host: target.hostname, port: Number(target.port || 5432) }
  }

  /** The same address, by way of this. */
  through(url: string): string {
    return Object.assign(new URL(url), { host: `127.0.0.1:${this.#port}` }).href
  }

  async open(): Promise<void> {
    this.#server = net.createServer((from) => {
      const to = net.connect(this.#target)
      from.pipe(to)
      to.on('data', (bytes) => this.isSilent || from.write(bytes))
      for (const [socket, other] of [
        [from, to],
        [to, from],
      ] as const) {
        this.#sockets.add(socket)
        socket.on('error', () => other.destroy())
        socket.on('close', () => {
          this.#sockets.delete(socket)
          other.destroy()
        })
      }
    })
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as net.AddressInfo).port
  }

  async cut(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of this.#sockets) socket.resetAndDestroy()
    await closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cut()
  }
}
