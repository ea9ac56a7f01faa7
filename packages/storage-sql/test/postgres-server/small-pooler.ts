import { once } from 'node:events'
import net from 'node:net'
import { ServerMessages } from './server-messages.ts'

const READY = 'Z'
const TYPE_AND_LENGTH = 5

/** A pooler of one's own in front of a server: each client gets a session, or all share one from transaction to transaction. */
export class SmallPooler {
  readonly #server: net.Server
  readonly #target: net.NetConnectOpts
  readonly #mode: 'session' | 'transaction'
  readonly #sockets = new Set<net.Socket>()
  readonly #waiting: (readonly [client: net.Socket, request: Buffer])[] = []
  #shared: net.Socket | undefined
  #serving: net.Socket | undefined
  #inTransaction: net.Socket | undefined

  private constructor(target: URL, mode: 'session' | 'transaction') {
    this.#target = { host: target.hostname, port: Number(target.port) }
    this.#mode = mode
    this.#server = net.createServer((client) => void this.#welcome(client))
  }

  static async open(target: string, mode: 'session' | 'transaction'): Promise<SmallPooler> {
    const pooler = new SmallPooler(new URL(target), mode)
    pooler.#server.listen(0, '127.0.0.1')
    await once(pooler.#server, 'listening')
    return pooler
  }

  through(url: string): string {
    return Object.assign(new URL(url), { host: `127.0.0.1:${(this.#server.address() as net.AddressInfo).port}` }).href
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #keep(socket: net.Socket): net.Socket {
    this.#sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket))
  }

  /** Logs the client in at the server, and answers with a process number of its own making, as poolers do. */
  async #welcome(client: net.Socket): Promise<void> {
    this.#keep(client)
    const session = this.#keep(net.connect(this.#target))
    const [startup] = (await once(client, 'data')) as [Buffer]
    session.write(startup)
    const messages = new ServerMessages()
    const logIn = (bytes: Buffer): void => {
      for (const message of messages.take(bytes)) {
        if (message[0] === 'K'.charCodeAt(0)) message.writeUInt32BE(0x7fff_0000, TYPE_AND_LENGTH)
        if (message.toString('latin1', 0, 1) === READY) {
          session.off('data', logIn)
          this.#begin(client, session)
        }
        client.write(message)
      }
    }
    session.on('data', logIn)
  }

  #begin(client: net.Socket, session: net.Socket): void {
    if (this.#mode === 'session') {
      client.on('close', () => session.destroy())
      client.pipe(session)
      session.pipe(client)
      return
    }
    if (this.#shared === undefined) this.#share(session)
    else session.destroy()
    const messages = new ServerMessages()
    let request = Buffer.alloc(0)
    client.on('data', (bytes: Buffer) => {
      for (const message of messages.take(bytes)) {
        request = Buffer.concat([request, message])
        // A query, or the end of several messages that make one.
        if (!'QS'.includes(message.toString('latin1', 0, 1))) continue
        this.#waiting.push([client, request])
        request = Buffer.alloc(0)
      }
      this.#next()
    })
  }

  #share(session: net.Socket): void {
    this.#shared = session
    const messages = new ServerMessages()
    session.on('data', (bytes: Buffer) => {
      for (const message of messages.take(bytes)) {
        const client = this.#serving
        client?.write(message)
        if (message.toString('latin1', 0, 1) !== READY) continue
        this.#inTransaction = message.toString('latin1', TYPE_AND_LENGTH) === 'I' ? undefined : client
        this.#serving = undefined
        this.#next()
      }
    })
  }

  #next(): void {
    if (this.#serving !== undefined) return
    const place = this.#waiting.findIndex(([client]) => [undefined, client].includes(this.#inTransaction))
    const [next] = place < 0 ? [] : this.#waiting.splice(place, 1)
    if (next === undefined) return
    this.#serving = next[0]
    this.#shared?.write(next[1])
  }
}
