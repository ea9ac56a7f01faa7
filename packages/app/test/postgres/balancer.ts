import { once } from 'node:events'
import net from 'node:net'

/** Milliseconds. */
const BETWEEN_CHECKS = 50

/**
 * What stands before several instances: each connection goes to the next one of those that say they are ready, or, where
 * that takes none, to the one after.
 */
export class Balancer implements AsyncDisposable {
  readonly #server: net.Server
  readonly #ports: readonly number[]
  readonly #checks: NodeJS.Timeout
  #ready: readonly number[]
  #turn = 0

  private constructor(ports: readonly number[]) {
    this.#ports = ports
    this.#ready = ports
    this.#checks = setInterval(() => this.#check(), BETWEEN_CHECKS)
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

  async #check(): Promise<void> {
    const statuses = await Promise.all(this.#ports.map((port) => statusOf(`http://127.0.0.1:${port}/readyz`)))
    this.#ready = this.#ports.filter((_, n) => statuses[n] === 200)
  }

  #join(client: net.Socket, turn: number, tries: number): void {
    const port = this.#ready[turn % this.#ready.length] ?? 0
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
    clearInterval(this.#checks)
    this.#server.close()
  }
}

const statusOf = async (url: string): Promise<number | undefined> => {
  const answer = await fetch(url).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status
}
