import { Client } from './client.ts'
import { Ledger } from './ledger.ts'
import type { Action } from './model.ts'
import type { Person } from './person.ts'
import { Relay } from './relay.ts'
import type { Service } from './service.ts'
import { type Given, type Settings, Target } from './target.ts'

export interface FixtureOptions extends Given {
  /** A new one unless given. */
  readonly ledger?: Ledger | undefined
  /** Mails become files instead of being sent to the relay. */
  readonly mailsAsFiles?: boolean | undefined
  /** The port that clients connect to, if a proxy is in front. */
  readonly front?: number | undefined
  readonly settings?: Settings | undefined
}

/** A mail that is not delivered yet, as `rollcall outbox list` shows it; it may also be a sign-up or an event. */
export interface Undelivered {
  readonly id: number | string
  readonly subscription_id?: number
  readonly message_id?: string
  readonly attempts?: number
  readonly not_before: string
  readonly parked_at: string | null
  readonly last_error: string | null
}

/** One service with everything that it needs, and what is known of it from outside. */
export class Fixture implements AsyncDisposable {
  readonly ledger: Ledger
  readonly relay: Relay
  readonly target: Target
  readonly client: Client
  /** Milliseconds that each start took. */
  readonly startTimes: number[] = []

  private constructor(ledger: Ledger, relay: Relay, target: Target, client: Client) {
    this.ledger = ledger
    this.relay = relay
    this.target = target
    this.client = client
  }

  static async create({
    ledger: given,
    mailsAsFiles,
    front,
    settings,
    ...order
  }: FixtureOptions = {}): Promise<Fixture> {
    const ledger = given ?? new Ledger(undefined, { proxied: front !== undefined })
    const relay = await Relay.open((mail) => ledger.received(mail))
    const target = await Target.make(order, { ...(mailsAsFiles ? {} : { SMTP_URL: relay.url }), ...settings })
    return new Fixture(ledger, relay, target, new Client(front ?? target.port))
  }

  /** The service, started and ready; undefined, and a finding, if it did not become ready by itself. */
  async start(): Promise<Service | undefined> {
    const service = this.target.launch()
    if (await service.ready(this.client.port)) {
      this.startTimes.push(service.readyIn)
      return service
    }
    await service.kill()
    this.ledger.report('I7', `the service was not ready by itself. ${service.stderr}`)
    return undefined
  }

  /** An instance was killed. */
  noteDeath(): void {
    this.ledger.died()
    this.relay.processNumber++
  }

  /** After the death of the service: the ledger knows when, the client has no connections, and the store is at rest. */
  async bury(): Promise<void> {
    this.noteDeath()
    this.client.hangUp()
    await this.target.store.settled()
  }

  /** A person does something, and the ledger hears of it. `link`: the token of the link that it needs. */
  async act(person: Person, action: Action, link = ''): Promise<void> {
    this.ledger.sent(person, action)
    this.ledger.answered(person, action, await this.client.ask(action, person, link))
  }

  /** What a command of the service prints; undefined, and a finding, if it fails. */
  async command(...args: readonly string[]): Promise<string | undefined> {
    const { code, stdout, stderr } = await this.target.run(...args)
    if (code === 0) return stdout
    this.ledger.report('I7', `rollcall ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)
    return undefined
  }

  async outbox(): Promise<readonly Undelivered[]> {
    const printed = await this.command('outbox', 'list', '--json')
    return printed === undefined ? [] : JSON.parse(printed).items
  }

  /** An access token; empty, and a finding, if there is none. */
  async token(subject: string, role: string): Promise<string> {
    const printed = await this.command('token', 'issue', '--subject', subject, '--role', role, '--ttl', '1d')
    return printed?.trim() ?? ''
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client.hangUp()
    await this.target[Symbol.asyncDispose]()
    await this.relay[Symbol.asyncDispose]()
  }
}
