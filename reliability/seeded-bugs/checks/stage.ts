import path from 'node:path'
import type { Injection } from '../../fault-injection/fault-injection.ts'
import type { AcceptedMail } from '../../ledger/mailbox.ts'
import { Relay } from '../../relay/relay.ts'
import { Client } from '../../service/client.ts'
import { Home } from '../../service/home.ts'
import { fromSource, type Program } from '../../service/program.ts'
import { Service } from '../../service/service.ts'

/** A service of its own, for whoever wants to see one thing. */
export class Stage implements AsyncDisposable {
  readonly relay: Relay
  readonly accepted: AcceptedMail[]
  readonly home: Home
  readonly #program: Program
  #service: Service | undefined

  private constructor(parts: { relay: Relay; accepted: AcceptedMail[]; home: Home; program: Program }) {
    this.relay = parts.relay
    this.accepted = parts.accepted
    this.home = parts.home
    this.#program = parts.program
  }

  static async set(injection: Injection, settings: Readonly<Record<string, string>> = {}): Promise<Stage> {
    const accepted: AcceptedMail[] = []
    const relay = await Relay.open((mail) => accepted.push(mail))
    const home = await Home.make({ SMTP_URL: relay.url, ...settings })
    const program = fromSource(injection, path.join(home.folder, 'injection.json'))
    return new Stage({ relay, accepted, home, program })
  }

  /** @throws {Error} it was not ready in a minute */
  async start(): Promise<Service> {
    const service = Service.start(this.#program, this.home, 'serve')
    this.#service = service
    const client = new Client(this.home.port)
    const ready = await service.ready(client)
    client.hangUp()
    if (!ready) throw new Error(`the service was not ready. ${service.stderr}`)
    return service
  }

  async token(subject: string, role: string): Promise<string> {
    const holding = ['--subject', subject, '--role', role, '--ttl', '1h']
    const command = Service.start(this.#program, this.home, 'token', 'issue', ...holding)
    await command.ended
    return command.stdout.trim()
  }

  /** The status of the answer. */
  async ask(method: string, path: string, { token = '', body }: { token?: string; body?: object } = {}) {
    const answer = await fetch(`http://127.0.0.1:${this.home.port}${path}`, {
      method,
      headers: {
        Connection: 'close',
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    await answer.arrayBuffer()
    return answer.status
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#service?.isRunning) await this.#service.kill()
    await this.relay[Symbol.asyncDispose]()
    await this.home[Symbol.asyncDispose]()
  }
}
