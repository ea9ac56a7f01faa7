import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../shared/finding.ts'
import { Fixture, type Undelivered } from '../shared/fixture.ts'
import type { Person } from '../shared/person.ts'
import { Random } from '../shared/random.ts'
import { Scenario } from '../shared/scenario.ts'
import type { Program } from '../shared/service.ts'
import type { Dialogue, Fault, Step } from '../shared/session.ts'
import { FAULT_MODES, type FaultMode, nameOf } from './fault-modes.ts'

interface RelayFaultsOrder {
  readonly server?: string | undefined
  /** Faulty mails in each mode; there are as many healthy ones. */
  readonly mails: number
  readonly seed: number
  readonly program?: Program | undefined
  readonly modes?: readonly FaultMode[] | undefined
  /** Whether mails that may have been delivered are waited for, which takes ten minutes. */
  readonly awaitsCopies?: boolean | undefined
  readonly progress?: ((mode: string, findings: number) => void) | undefined
}

interface ModeResult {
  readonly mode: string
  readonly delivered: number
  readonly parked: number
  /** They may have been delivered, and wait until a copy is allowed. */
  readonly waiting: number
  readonly duplicates: number
}

const SMTP_TIMEOUTS = 'connect=1s,greeting=2s,command=2s,data=2s,block=2s,dot=2s'
const RATE = 50
const PATIENCE = 120_000
const PAUSE = 300

/** Makes the relay fail in one way after another, and checks that every mail is delivered or parked. */
export const runRelayFaults = async (order: RelayFaultsOrder) => {
  await using fixture = await Fixture.create({ ...order, settings: { SMTP_TIMEOUTS } })
  const scenario = new Scenario(fixture, new Random(order.seed), RATE, { awaitsCopies: order.awaitsCopies ?? true })
  const service = await scenario.begin()
  const modes: ModeResult[] = []
  for (const mode of service ? (order.modes ?? FAULT_MODES) : []) {
    modes.push(await new FaultyMails(fixture, order.mails, mode).run())
    order.progress?.(nameOf(mode), scenario.findings.length)
  }
  if (service?.isRunning) await scenario.end(service)
  else if (service) fixture.ledger.report('I7', `the service ended by itself. ${service.stderr}`)
  const findings: readonly Finding[] = scenario.findings
  return { findings, modes }
}

class FaultyMails {
  readonly #fixture: Fixture
  readonly #count: number
  readonly #mode: FaultMode
  readonly #failed = new Set<string>()
  readonly #faulty: Person[] = []
  readonly #healthy: Person[] = []
  #passages = 0

  constructor(fixture: Fixture, count: number, mode: FaultMode) {
    this.#fixture = fixture
    this.#count = count
    this.#mode = mode
  }

  async run(): Promise<ModeResult> {
    const { ledger, relay } = this.#fixture
    const before = ledger.mailbox.duplicates.length
    relay.decide = (step, dialogue) => this.#decide(step, dialogue)
    const asking: Promise<void>[] = []
    for (let n = 0; n < this.#count; n++) {
      asking.push(this.#signUp(this.#faulty, 'faulty.example'), this.#signUp(this.#healthy, 'healthy.example'))
      await sleep(1_000 / RATE)
    }
    await Promise.all(asking)
    const { parked, waiting } = await this.#awaitAll()
    const duplicates = ledger.mailbox.duplicates.length - before
    if (duplicates > 0) this.#report('I4', `${duplicates} mails were sent twice`)
    return {
      mode: nameOf(this.#mode),
      delivered: this.#faulty.filter((person) => this.#hasCome(person)).length,
      ...{ parked, waiting, duplicates },
    }
  }

  /** If the recipient is not known yet, every other dialogue fails, up to the number of mails; else each mail once. */
  #decide(step: Step, { recipient }: Dialogue): Fault | undefined {
    const { fault, end } = this.#mode
    if (step !== this.#mode.step) return undefined
    if (recipient === undefined) {
      this.#passages++
      return this.#passages % 2 === 1 && this.#passages < 2 * this.#count ? fault : undefined
    }
    if (!recipient.endsWith('@faulty.example') || (end !== 'parked' && this.#failed.has(recipient))) return undefined
    this.#failed.add(recipient)
    return fault
  }

  async #signUp(persons: Person[], domain: string): Promise<void> {
    const person = this.#fixture.ledger.newPerson(domain)
    persons.push(person)
    await this.#fixture.act(person, { kind: 'subscribe', name: '' })
  }

  /** Until each has come to its end. What the relay put off is hurried, as an operator does once the relay works again. */
  async #awaitAll(): Promise<{ parked: number; waiting: number }> {
    const { end, unsure } = this.#mode
    for (const until = performance.now() + PATIENCE; ; await sleep(PAUSE)) {
      const missing = [...this.#faulty, ...this.#healthy].filter((person) => !this.#hasCome(person))
      const listed = missing.length === 0 ? [] : await this.#fixture.outbox()
      const stateOf = ({ id }: Person): 'parked' | 'put off' | 'new' | 'lost' => {
        const mail = listed.find(({ subscription_id }) => subscription_id === id)
        if (mail === undefined) return 'lost'
        if (mail.parked_at !== null && mail.last_error !== null) return 'parked'
        return (mail.attempts ?? 0) > 0 ? 'put off' : 'new'
      }
      const isDone = (person: Person): boolean => {
        if (!this.#faulty.includes(person)) return false
        return end === 'parked' ? stateOf(person) === 'parked' : unsure === true && stateOf(person) === 'put off'
      }
      const open = missing.filter((person) => !isDone(person))
      const faulty = missing.filter((person) => this.#faulty.includes(person)).map(stateOf)
      if (end === 'parked' && this.#faulty.some((person) => this.#hasCome(person)))
        this.#report('I3', 'a mail that the relay refused was delivered')
      if (open.length === 0)
        return {
          parked: faulty.filter((state) => state === 'parked').length,
          waiting: faulty.filter((state) => state === 'put off').length,
        }
      if (performance.now() > until) {
        for (const person of open) this.#report('I3', `the mail for ${person.email} is ${stateOf(person)}`)
        return { parked: 0, waiting: 0 }
      }
      await this.#hurry(listed.filter((mail) => open.some(({ id }) => id === mail.subscription_id)))
    }
  }

  async #hurry(mails: readonly Undelivered[]): Promise<void> {
    const ids = mails
      .filter(({ attempts = 0, parked_at }) => attempts > 0 && parked_at === null)
      .map(({ id }) => `${id}`)
    // It may be delivered by now, and not be found.
    if (ids.length > 0) await this.#fixture.target.run('outbox', 'retry', ...ids)
  }

  #report(invariant: Finding['invariant'], message: string): void {
    this.#fixture.ledger.report(invariant, `${message}: ${nameOf(this.#mode)}`)
  }

  #hasCome({ email }: Person): boolean {
    return this.#fixture.ledger.mailbox.of(email).length > 0
  }
}
