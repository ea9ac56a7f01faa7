import { setTimeout as sleep } from 'node:timers/promises'
import type { SourceChange } from '../fault-injection/source-change.ts'
import type { Finding } from '../finding.ts'
import type { Person } from '../ledger/person.ts'
import { Random } from '../random.ts'
import type { Dialogue, Fault, Step } from '../relay/session.ts'
import { Fixture } from '../run/fixture.ts'
import { Scenario } from '../run/scenario.ts'
import { FAULT_MODES, type FaultMode, HEALS_AFTER, nameOf } from './modes.ts'

interface SmtpFaultsOrder {
  readonly store: 'sqlite' | 'postgres'
  readonly server?: string | undefined
  /** Faulty mails in each mode; there are as many healthy ones. */
  readonly mails: number
  readonly seed: number
  readonly modes?: readonly FaultMode[] | undefined
  readonly progress?: ((mode: string, findings: number) => void) | undefined
}

export interface ModeResult {
  readonly mode: string
  readonly delivered: number
  readonly parked: number
  readonly duplicates: number
  /** Milliseconds from the answer to the mail, for the healthy ones. */
  readonly healthy: { readonly median: number; readonly most: number }
  readonly seconds: number
}

interface SmtpFaultsResult {
  readonly findings: readonly Finding[]
  /** For mails without any fault. */
  readonly usual: ModeResult['healthy']
  readonly modes: readonly ModeResult[]
}

/** Ten times as fast, so that timeouts do not take minutes. */
const QUICK: SourceChange = {
  file: 'packages/core/src/instant.ts',
  find: 'export const SECOND = 1_000',
  replace: 'export const SECOND = 100',
}
/** A mail that may have been delivered is tried again after ten seconds. */
const COPIES_SOON: SourceChange = {
  file: 'packages/core/src/outbox/mail-cap.ts',
  find: '{ most: 1, within: 10 * MINUTE }',
  replace: '{ most: 1, within: MINUTE / 6 }',
}
/** In real time, as these are not made of the service's seconds. */
const SMTP_TIMEOUTS = 'connect=1s,greeting=2s,command=2s,data=2s,block=2s,dot=2s'
const RATE = 50
const PATIENCE = 120_000

/** Makes the relay fail in one way after another, and checks that every mail is delivered or parked. */
export const runSmtpFaults = async (order: SmtpFaultsOrder): Promise<SmtpFaultsResult> => {
  await using fixture = await Fixture.create({
    ...order,
    settings: { SMTP_TIMEOUTS },
    injection: { changes: [QUICK, COPIES_SOON] },
  })
  const scenario = new Scenario(fixture, new Random(order.seed), RATE)
  const service = await scenario.begin()
  const modes: ModeResult[] = []
  let usual = { median: Number.NaN, most: Number.NaN }
  if (service) {
    usual = (await new FaultyMails(fixture, order.mails).run()).healthy
    for (const mode of order.modes ?? FAULT_MODES) {
      modes.push(await new FaultyMails(fixture, order.mails, mode).run())
      order.progress?.(nameOf(mode), scenario.findings.length)
    }
    if (!service.isRunning) fixture.ledger.report('I7', `the service ended by itself. ${service.stderr}`)
    else await scenario.end(service)
  }
  return { findings: scenario.findings, usual, modes }
}

class FaultyMails {
  readonly #fixture: Fixture
  readonly #count: number
  readonly #mode: FaultMode | undefined
  readonly #answeredAt = new Map<Person, number>()
  readonly #failures = new Map<string, number>()
  readonly #faulty: Person[] = []
  readonly #healthy: Person[] = []
  #passages = 0

  constructor(fixture: Fixture, count: number, mode?: FaultMode) {
    this.#fixture = fixture
    this.#count = count
    this.#mode = mode
  }

  async run(): Promise<ModeResult> {
    const { ledger, relay } = this.#fixture
    const began = performance.now()
    const before = ledger.mailbox.duplicates.length
    relay.decide = (step, dialogue) => this.#decide(step, dialogue)
    const asking: Promise<void>[] = []
    for (let n = 0; n < this.#count; n++) {
      if (this.#mode) asking.push(this.#signUp(this.#faulty, 'faulty.example'))
      asking.push(this.#signUp(this.#healthy, 'healthy.example'))
      await sleep(1_000 / RATE)
    }
    await Promise.all(asking)
    const parked = await this.#awaitAll()
    this.#judge(parked)
    const duplicates = ledger.mailbox.duplicates.length - before
    if (this.#mode?.again === undefined && duplicates > 0)
      ledger.report('I4', `${duplicates} mails were sent twice: ${this.#name}`)
    return {
      mode: this.#name,
      delivered: this.#faulty.filter((person) => this.#hasCome(person)).length,
      parked: parked.size,
      duplicates,
      healthy: this.#delays(),
      seconds: (performance.now() - began) / 1_000,
    }
  }

  get #name(): string {
    return this.#mode === undefined ? 'none' : nameOf(this.#mode)
  }

  /** Where the recipient is not known yet, every other dialogue fails, up to the number of mails. */
  #decide(step: Step, { recipient }: Dialogue): Fault | undefined {
    if (step !== this.#mode?.step) return undefined
    const { fault, end } = this.#mode
    if (recipient === undefined) {
      this.#passages++
      return this.#passages % 2 === 1 && this.#passages < 2 * this.#count ? fault : undefined
    }
    if (!recipient.endsWith('@faulty.example')) return undefined
    const failures = this.#failures.get(recipient) ?? 0
    this.#failures.set(recipient, failures + 1)
    return end === 'parked' || failures < HEALS_AFTER ? fault : undefined
  }

  async #signUp(persons: Person[], domain: string): Promise<void> {
    const { ledger, client } = this.#fixture
    const person = ledger.newPerson(domain)
    persons.push(person)
    const action = { kind: 'subscribe', name: '' } as const
    ledger.sent(person, action)
    ledger.answered(person, action, await client.ask(action, person, ''))
    this.#answeredAt.set(person, performance.now())
  }

  /** Resolves to the parked ones. */
  async #awaitAll(): Promise<ReadonlySet<number>> {
    const until = performance.now() + PATIENCE
    for (;;) {
      const missing = [...this.#faulty, ...this.#healthy].filter((person) => !this.#hasCome(person))
      const parked = await this.#parkedOf(missing)
      if (missing.length === parked.size || performance.now() > until) return parked
      await sleep(100)
    }
  }

  async #parkedOf(missing: readonly Person[]): Promise<ReadonlySet<number>> {
    const ids = new Set(missing.map(({ id }) => id))
    const pending = await this.#fixture.store.pending()
    const parked = pending.filter((mail) => mail.parked && mail.error && ids.has(mail.subscriptionId))
    return new Set(parked.map(({ subscriptionId }) => subscriptionId))
  }

  #judge(parked: ReadonlySet<number>): void {
    const isParked = ({ id }: Person): boolean => id !== undefined && parked.has(id)
    const mustBeParked = this.#mode?.end === 'parked'
    for (const person of this.#faulty) {
      if (mustBeParked ? !isParked(person) : !this.#hasCome(person))
        this.#report(`${person.email} is not ${this.#mode?.end}`)
    }
    for (const person of this.#healthy) if (!this.#hasCome(person)) this.#report(`${person.email} got no mail`)
  }

  #report(message: string): void {
    this.#fixture.ledger.report('I3', `${message}: ${this.#name}`)
  }

  #hasCome({ email }: Person): boolean {
    return this.#fixture.ledger.mailbox.of(email).length > 0
  }

  #delays(): ModeResult['healthy'] {
    const { mailbox } = this.#fixture.ledger
    const delays = this.#healthy.flatMap((person) => {
      const [mail] = mailbox.of(person.email)
      return mail === undefined
        ? []
        : [Math.max(0, mail.acceptedAt - (this.#answeredAt.get(person) ?? mail.acceptedAt))]
    })
    const sorted = delays.sort((a, b) => a - b)
    return { median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN }
  }
}
