import { once } from 'node:events'
import net from 'node:net'

/** What a way to a server does to what goes through it. */
export interface Mischief {
  /** Called with what the client sends, before it is forwarded; false holds it back. */
  onRequest?: ((bytes: Buffer, client: net.Socket) => boolean) | undefined
  /** What goes on instead of what the client sends. */
  rewrite?: ((bytes: Buffer) => Buffer) | undefined
  /** False keeps back what the server answers. */
  onAnswer?: ((bytes: Buffer, client: net.Socket) => boolean) | undefined
}

/** A way to a server on which things go wrong. */
export class Passage {
  readonly #server: net.Server
  #target: net.NetConnectOpts
  readonly #sockets = new Set<net.Socket>()
  readonly #clients = new Set<net.Socket>()
  #silent = new WeakSet<net.Socket>()
  mischief: Mischief = {}

  private constructor(target: URL) {
    this.#target = targetOf(target)
    this.#server = net.createServer((client) => this.#join(client))
  }

  static async open(target: string): Promise<Passage> {
    const passage = new Passage(new URL(target))
    passage.#server.listen(0, '127.0.0.1')
    await once(passage.#server, 'listening')
    return passage
  }

  /** The same address, by way of this. */
  through(url: string): string {
    return Object.assign(new URL(url), { host: `127.0.0.1:${(this.#server.address() as net.AddressInfo).port}` }).href
  }

  /** Later connections go to another server, or to this one by way of something. */
  leadTo(target: string): void {
    this.#target = targetOf(new URL(target))
  }

  /** Open connections receive nothing any more, and no notice of it. Later connections are let through. */
  silence(): void {
    for (const socket of this.#sockets) this.#silent.add(socket)
  }

  /** Every client that is connected gets these bytes, and then the end. */
  hangUp(lastWords: Buffer): void {
    for (const client of this.#clients) client.end(lastWords)
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.resetAndDestroy()
    await closed
  }

  #join(client: net.Socket): void {
    const server = net.connect(this.#target)
    this.#clients.add(client)
    client.on('close', () => this.#clients.delete(client))
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.#sockets.delete(socket))
    }
    client.on('data', (bytes) => {
      if (this.#silent.has(client) || this.mischief.onRequest?.(bytes, client) === false) return
      server.write(this.mischief.rewrite?.(bytes) ?? bytes)
    })
    server.on('data', (bytes) => {
      if (this.#silent.has(client) || this.mischief.onAnswer?.(bytes, client) === false) return
      client.write(bytes)
    })
    // The server hears of it late, or never, if it was kept from hearing.
    client.on('close', () => {
      if (this.mischief.onRequest === undefined) server.destroy()
    })
    server.on('close', () => {
      if (!this.#silent.has(client)) client.destroy()
    })
  }
}

const targetOf = ({ hostname, port }: URL): net.NetConnectOpts => ({ host: hostname, port: Number(port) })
