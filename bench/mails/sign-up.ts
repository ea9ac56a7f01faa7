import { Agent, request } from 'node:http'

/** Asks for subscriptions over connections that are kept. */
export class SignUps implements Disposable {
  readonly #url: string
  readonly #agent: Agent

  constructor(url: string, connections: number) {
    this.#url = url
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' })
  }

  /** Resolves when the answer has been read. */
  async signUp(email: string): Promise<void> {
    const status = await this.#post(`name=Brian%20Smith&email=${encodeURIComponent(email)}`)
    if (status !== 200) throw new Error(`a sign-up was answered ${status}`)
  }

  #post(body: string): Promise<number | undefined> {
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': Buffer.byteLength(body),
    }
    return new Promise((resolve, reject) => {
      const asked = request(`${this.#url}/subscribe`, { agent: this.#agent, method: 'POST', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      })
      asked.on('error', reject)
      asked.end(body)
    })
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}
