import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { SELF_SIGNED } from './self-signed.ts'

/** Where a PostgreSQL server is expected: it offers encryption, with an untrusted certificate. */
export class Impostor implements AsyncDisposable {
  readonly #server: net.Server

  private constructor() {
    const context = tls.createSecureContext(SELF_SIGNED)
    this.#server = net.createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.write('S')
        new tls.TLSSocket(socket, { isServer: true, secureContext: context }).on('error', () => undefined)
      })
    })
  }

  static async open(): Promise<Impostor> {
    const impostor = new Impostor()
    impostor.#server.listen(0, '127.0.0.1')
    await once(impostor.#server, 'listening')
    return impostor
  }

  get port(): number {
    return (this.#server.address() as net.AddressInfo).port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
  }
}
