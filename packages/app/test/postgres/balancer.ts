import { once } from 'node:events'
import net from 'node:net'

/** What stands before several instances: each connection goes to the next one, or, where that takes none, to the one after. */
export class Balancer implements AsyncDisposable {
  readonly #server: net.Server
  readonly #ports: readonly number[]
  #turn = 0

  private constructor(ports: readonly number[]) {
    this.#ports = ports
    this.#server = net.createServer({ allowHalfOpen: true }, (client) => this.#join(client, this.#turn++, 2))
  }

  static async open(...ports: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(ports)
    balancer.#server.listen(0, '127.0.0.1')
    await once(balancer.#server, 'listening')
    return balancer
  }

  get port(): number {
    return (this.#server.address() as net.AddressInfo).port
  }

  #join(client: net.Socket, turn: number, tries: number): void {
    const port = this.#ports[turn % this.#ports.length] ?? 0
    const server = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let connected = false
    server.once('connect', () => {
      connected = true
      client.pipe(server).pipe(client)
      for (const [socket, other] of [
        [client, server],
        [server, client],
      ] as const)
        socket.on('close', () => other.destroy())
    })
    server.on('error', () => {
      if (connected || tries <= 1) client.destroy()
      else this.#join(client, turn + 1, tries - 1)
    })
    client.on('error', () => server.destroy())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
  }
}
