import { Agent, request } from 'node:http'

const CLIENTS = 6

/** Clients that sign up as fast as they are answered, and try nothing again. */
export class Load implements AsyncDisposable {
  /** How often there was each status, or error. */
  readonly outcomes = new Map<string, number>()
  /** Half of the clients keep their connections. */
  readonly #agents = [true, false].map((keepAlive) => new Agent({ keepAlive }))
  readonly #port: number
  #over = false
  readonly #clients: Promise<void>[]

  constructor(port: number) {
    this.#port = port
    this.#clients = Array.from({ length: CLIENTS }, (_, client) => this.#run(client))
  }

  async end(): Promise<void> {
    this.#over = true
    await Promise.all(this.#clients)
    for (const agent of this.#agents) agent.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end()
  }

  async #run(client: number): Promise<void> {
    for (let n = 0; !this.#over; n++) {
      const agent = this.#agents[client % this.#agents.length]
      const outcome = await this.#signUp(`client-${client}-${n}@example.com`, agent)
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
    }
  }

  #signUp(email: string, agent: Agent | undefined): Promise<string> {
    return new Promise((resolve) => {
      const asking = request(
        {
          ...{ port: this.#port, host: '127.0.0.1', agent, path: '/subscribe', method: 'POST' },
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        },
        (answer) => answer.resume().once('end', () => resolve(String(answer.statusCode))),
      )
      asking.once('error', (error: NodeJS.ErrnoException) => resolve(`${error.code} ${error.message}`))
      asking.end(new URLSearchParams({ email }).toString())
    })
  }
}
