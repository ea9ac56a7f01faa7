import { setTimeout as sleep } from 'node:timers/promises'
import { Examination } from './examination.ts'
import type { Finding } from './finding.ts'
import type { Fixture } from './fixture.ts'
import { FEEDS, type Ledger } from './ledger.ts'
import { Load } from './load.ts'
import { lookAt } from './look.ts'
import type { Person } from './person.ts'
import type { Random } from './random.ts'
import type { Service } from './service.ts'
import { TokenWitness } from './token-witness.ts'

/**
 * Milliseconds within which the mails of a dead process must be taken over, and a margin: one that may have been delivered
 * waits for the cap of ten minutes.
 */
const TAKE_OVER_WITHIN = 660_000
const PATIENCE = 60_000
const PAUSE = 500
const LINKS_TRIED = 200
const LINKS_OF_SEVERAL = ['confirm', 'refuse'] as const
const LINKS = [...LINKS_OF_SEVERAL, 'unsubscribe'] as const

/** Persons who must still get a mail: their first, which asks to confirm; or the one that tells of their change of address. */
export const owedTo = ({ persons, mailbox }: Ledger): Person[] =>
  [...persons.values()].filter((person) => {
    const { email } = person
    if (person.mustBe(({ subscription, begun }) => subscription?.status === 'pending' && begun === 1))
      return mailbox.of(email).length === 0
    return person.mustBe(({ moved }) => moved !== undefined) && mailbox.token(email, 'undo') === undefined
  })

/** The figures of a run; a type, so that they are a record of numbers. */
export type Figures = {
  readonly kills: number
  /** Requests with an answer, and without one. */
  readonly acknowledged: number
  readonly unanswered: number
  /** Mails that the relay accepted, and the duplicates among them. */
  readonly mails: number
  readonly duplicates: number
  /** Most milliseconds from the acceptance of a mail that came twice to the death of its process. */
  readonly longestWindow: number
  /** Milliseconds from a start to being ready. */
  readonly 'ready, median': number
  readonly 'ready, most': number
  /** Milliseconds from the last kill until every pending mail had come. */
  readonly takenOverIn: number
  readonly seconds: number
}

/** What is done with a fixture: load, kill and examination again and again, and an end at which every mail must have come. */
export class Scenario {
  readonly #fixture: Fixture
  readonly #random: Random
  readonly #load: Load
  readonly #examination: Examination
  readonly #witness: TokenWitness
  readonly #awaitsCopies: boolean
  readonly #began = performance.now()
  #lastDeath = this.#began
  #takenOverIn = Number.NaN

  /**
   * `rate`: of the load, in requests a second. Without `awaitsCopies`, a mail that was tried and waits in the outbox, or that
   * a cap holds back for such a one, is not waited for: that may take the ten minutes of the mail cap.
   */
  constructor(fixture: Fixture, random: Random, rate: number, { awaitsCopies = true } = {}) {
    this.#fixture = fixture
    this.#random = random
    this.#load = new Load(fixture.ledger, fixture.client, random.fork(), rate)
    this.#examination = new Examination(fixture.ledger, fixture.client, fixture.target.store)
    this.#witness = new TokenWitness(fixture)
    this.#awaitsCopies = awaitsCopies
  }

  get findings(): readonly Finding[] {
    return this.#fixture.ledger.findings
  }

  /** The first start of the service; undefined if it failed. */
  async begin(): Promise<Service | undefined> {
    const service = await this.#fixture.start()
    if (service === undefined) return undefined
    const { client, target } = this.#fixture
    client.token = await this.#fixture.token('harness', 'admin')
    await client.signLinksOf(target.home.data)
    await client.demand(`PUT /feeds/${FEEDS[1]}`, {}, [200, 201, 204])
    return service
  }

  /** Load until the service is dead. `death` kills it, and may stop the load before. */
  async untilDead(service: Service, death: (stop: AbortController) => Promise<void>): Promise<void> {
    const stop = new AbortController()
    const loading = this.#load.run(stop.signal)
    await death(stop)
    await service.ended
    stop.abort()
    await loading
    this.#lastDeath = performance.now()
    await this.#fixture.bury()
  }

  /** Load during something that the service must survive; resolves when no request is open. */
  async whileServing(happen: () => Promise<void>): Promise<void> {
    const stop = new AbortController()
    const loading = this.#load.run(stop.signal)
    try {
      await happen()
    } finally {
      stop.abort()
      await loading
    }
    this.#lastDeath = performance.now()
  }

  /** Examines persons with requests since the last time, or everything. */
  async examine(thoroughly: boolean): Promise<void> {
    if (!thoroughly) {
      await this.#examination.ofTouched()
      return
    }
    await this.#examination.ofAll()
    await this.#fixture.command('audit', 'verify')
    await this.#witness.look()
  }

  /** The end: every mail comes, links work, the outbox is settled, and SIGTERM ends the service with 0. */
  async end(service: Service): Promise<void> {
    const { ledger, relay } = this.#fixture
    relay.delay = 0
    relay.decide = () => undefined
    await this.#awaitMails()
    await this.#tryLinks()
    await this.#awaitSettlement()
    await this.examine(true)
    service.signal('SIGTERM')
    const { code, signal } = await service.ended
    if (code !== 0) ledger.report('I7', `SIGTERM ended it with ${signal ?? code}. ${service.stderr}`)
  }

  /** Waits until every pending mail has come, or is parked with a reason. */
  async #awaitMails(): Promise<void> {
    const { ledger, client } = this.#fixture
    const missing = async (): Promise<Person[]> => {
      const late = owedTo(ledger)
      if (late.length === 0) return late
      const excused = new Set(await this.#excused())
      // By what the service shows: an answer that was lost named no id, and a mail about two feeds has that of either.
      const { subscriptions } = await lookAt(client, late)
      const reached = new Set(subscriptions.filter(({ id }) => excused.has(id)).map(({ email }) => email))
      return late.filter(({ email, newEmail }) => !reached.has(email) && !reached.has(newEmail))
    }
    let late = await missing()
    for (; late.length > 0 && performance.now() - this.#lastDeath < TAKE_OVER_WITHIN + PATIENCE; late = await missing())
      await sleep(PAUSE)
    for (const { email } of late) ledger.report('I3', `the mail for ${email} never came`)
    this.#takenOverIn = performance.now() - this.#lastDeath
  }

  /** Of the subscriptions whose mail need not come now. */
  async #excused(): Promise<(number | undefined)[]> {
    const listed = await this.#fixture.outbox()
    // By a cap, in which another mail counts that may have been delivered.
    const isHeldBack = (notBefore: string): boolean => Date.parse(notBefore) - Date.now() > PATIENCE
    const isExcused = ({ attempts = 0, parked_at, last_error, not_before }: (typeof listed)[number]): boolean =>
      (parked_at !== null && last_error !== null) || (!this.#awaitsCopies && (attempts > 0 || isHeldBack(not_before)))
    return listed.filter(isExcused).map(({ subscription_id }) => subscription_id)
  }

  /** Waits until no accepted mail is left in the outbox, but for copies that wait for the cap of a day: each try counts. */
  async #awaitSettlement(): Promise<void> {
    const { ledger, relay } = this.#fixture
    const accepted = new Set<string | undefined>()
    for (const email of ledger.persons.keys())
      for (const { messageId, processNumber, cutOff } of ledger.mailbox.of(email))
        if (this.#awaitsCopies || (processNumber === relay.processNumber && !cutOff))
          accepted.add(messageId.replace(/[<>]/g, ''))
    const unsettled = async () =>
      (await this.#fixture.outbox()).filter(
        ({ message_id, parked_at, not_before }) =>
          parked_at === null && accepted.has(message_id) && Date.parse(not_before) - Date.now() < TAKE_OVER_WITHIN,
      )
    const until = performance.now() + TAKE_OVER_WITHIN + PATIENCE
    let left = await unsettled()
    for (; left.length > 0 && performance.now() < until; left = await unsettled()) await sleep(PAUSE)
    for (const { message_id } of left) ledger.report('I4', `${message_id} was accepted and is still in the outbox`)
  }

  /** Fetches links of some mails, as a scanner would: each must show its page and change nothing. */
  async #tryLinks(): Promise<void> {
    const { ledger, client } = this.#fixture
    const persons = [...ledger.persons.values()].filter(
      (person) =>
        ledger.mailbox.of(person.email).length > 0 &&
        person.mustBe(({ subscription, begun }) => subscription?.status === 'pending' && begun === 1),
    )
    for (let n = 0; n < Math.min(LINKS_TRIED, persons.length); n++) {
      const { email, possible } = this.#random.pick(persons)
      // One click ends one subscription: a mail about several has no such link.
      const several = possible.some(({ second }) => second !== undefined)
      for (const link of several ? LINKS_OF_SEVERAL : LINKS) {
        const answer = await client.get(`/${link}/${ledger.mailbox.token(email, link)}`)
        if (answer?.status !== 200) ledger.report('I8', `the ${link} link for ${email} is answered ${answer?.status}`)
      }
    }
  }

  get figures(): Figures {
    const { ledger, startTimes } = this.#fixture
    const starts = startTimes.map(Math.round).sort((a, b) => a - b)
    return {
      kills: ledger.kills,
      acknowledged: ledger.acknowledged,
      unanswered: ledger.unanswered,
      mails: ledger.mailbox.count,
      duplicates: ledger.mailbox.duplicates.length,
      longestWindow: Math.round(ledger.longestWindow),
      ...{ 'ready, median': starts[starts.length >> 1] ?? 0, 'ready, most': starts.at(-1) ?? 0 },
      takenOverIn: Math.round(this.#takenOverIn),
      seconds: Math.round((performance.now() - this.#began) / 1_000),
    }
  }
}

const LONGEST_WAIT = 10_000

/** Resolves at the next answer of the service, at its death, or after some seconds. */
export const firstAnswer = async (ledger: Ledger, service: Service): Promise<void> => {
  const before = ledger.acknowledged
  const patience = AbortSignal.timeout(LONGEST_WAIT)
  while (ledger.acknowledged === before && service.isRunning && !patience.aborted) await sleep(2)
}
