import { setTimeout as sleep } from 'node:timers/promises'
import { LinkTokens, PREFERENCES_LIFE } from '@rollcall/core'
import type { Finding } from '../finding.ts'
import { FEEDS, type Ledger } from '../ledger/ledger.ts'
import type { Person } from '../ledger/person.ts'
import { Load } from '../load/load.ts'
import type { Random } from '../random.ts'
import type { Client } from '../service/client.ts'
import { linkSigning } from '../service/link-signing.ts'
import type { Service } from '../service/service.ts'
import type { Store } from '../stores/store.ts'
import { Examination } from './examination.ts'
import type { Fixture } from './fixture.ts'

/**
 * Milliseconds within which the mails of a dead process must be taken over, and a margin: one that may have been delivered
 * waits for the cap of ten minutes.
 */
const TAKE_OVER_WITHIN = 660_000
const PATIENCE = 60_000
const LINKS_TRIED = 200
const LINKS_OF_SEVERAL = ['confirm', 'refuse'] as const
const LINKS = [...LINKS_OF_SEVERAL, 'unsubscribe'] as const

/** Persons who must still get a mail: their first, which asks to confirm; or the one that tells of their change of address. */
const owedTo = ({ persons, mailbox }: Ledger): Person[] =>
  [...persons.values()].filter(({ email, possible }) => {
    if (possible.every(({ subscription, begun }) => subscription?.status === 'pending' && begun === 1))
      return mailbox.of(email).length === 0
    return possible.every(({ moved }) => moved !== undefined) && mailbox.token(email, 'undo') === undefined
  })

/**
 * Waits until every pending mail has come, or is parked with a reason. Resolves to the milliseconds since the last
 * kill. Missing mails are reported.
 */
const awaitMails = async (ledger: Ledger, store: Store, since: number): Promise<number> => {
  const missing = async (): Promise<Person[]> => {
    const late = owedTo(ledger)
    const parked = late.length === 0 ? new Set() : await parkedIn(store)
    return late.filter(({ id }) => !parked.has(id))
  }
  let late = await missing()
  for (; late.length > 0 && performance.now() - since < TAKE_OVER_WITHIN + PATIENCE; late = await missing())
    await sleep(50)
  for (const { email } of late) ledger.report('I3', `the mail for ${email} never came`)
  return performance.now() - since
}

const parkedIn = async (store: Store): Promise<ReadonlySet<number | undefined>> =>
  new Set((await store.pending()).filter(({ parked, error }) => parked && error).map((mail) => mail.subscriptionId))

/** Waits until no accepted mail is left in the outbox. */
const awaitSettlement = async (ledger: Ledger, store: Store): Promise<void> => {
  const accepted = new Set<string>()
  for (const email of ledger.persons.keys())
    for (const { messageId } of ledger.mailbox.of(email)) accepted.add(messageId)
  const unsettled = async () =>
    (await store.pending()).filter(({ messageId, parked }) => !parked && accepted.has(messageId))
  const until = performance.now() + TAKE_OVER_WITHIN + PATIENCE
  let left = await unsettled()
  for (; left.length > 0 && performance.now() < until; left = await unsettled()) await sleep(50)
  for (const { messageId } of left) ledger.report('I4', `${messageId} was accepted and is still in the outbox`)
}

/** Fetches links of some mails, as a scanner would: each must show its page and change nothing. */
const tryLinks = async (ledger: Ledger, client: Client, random: Random): Promise<void> => {
  const persons = [...ledger.persons.values()].filter(
    ({ email, possible }) =>
      ledger.mailbox.of(email).length > 0 &&
      possible.every(({ subscription, begun }) => subscription?.status === 'pending' && begun === 1),
  )
  for (let n = 0; n < Math.min(LINKS_TRIED, persons.length); n++) {
    const { email, possible } = random.pick(persons)
    // One click ends one subscription: a mail about several has no such link.
    const several = possible.some(({ second }) => second !== undefined)
    for (const link of several ? LINKS_OF_SEVERAL : LINKS) {
      const answer = await client.get(`/${link}/${ledger.mailbox.token(email, link)}`)
      if (answer?.status !== 200) ledger.report('I8', `the ${link} link for ${email} is answered ${answer?.status}`)
    }
  }
}

/** The figures of a run. */
export interface Figures {
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
  readonly ready: { readonly median: number; readonly p99: number; readonly most: number }
  /** Milliseconds from the last kill until every pending mail had come. */
  readonly takenOverIn: number
  readonly seconds: number
}

export const readiness = (times: readonly number[]): Figures['ready'] => {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { median: at(0.5), p99: at(0.99), most: sorted.at(-1) ?? 0 }
}

/** What is done with a fixture: load, kill and examination again and again, and an end at which every mail must have come. */
export class Scenario {
  readonly #fixture: Fixture
  readonly #random: Random
  readonly #load: Pick<Load, 'run'>
  readonly #examination: Examination
  readonly #began = performance.now()
  #lastDeath = this.#began
  #takenOverIn = Number.NaN

  /** `load` is in requests a second, where it is to be the usual one. */
  constructor(fixture: Fixture, random: Random, load: number | Pick<Load, 'run'>) {
    this.#fixture = fixture
    this.#random = random
    this.#load = typeof load === 'number' ? new Load(fixture.ledger, fixture.client, random.fork(), load) : load
    this.#examination = new Examination(fixture.ledger, fixture.store)
  }

  get findings(): readonly Finding[] {
    return this.#fixture.ledger.findings
  }

  /** The first start of the service; undefined where it failed. */
  async begin(): Promise<Service | undefined> {
    const service = await this.#fixture.start()
    if (service === undefined) return undefined
    const { client, home } = this.#fixture
    client.token = await this.#fixture.token('harness', 'admin')
    const links = new LinkTokens(await linkSigning(home.data))
    client.preferencesToken = (id) => links.signPreferences(id, Date.now() + PREFERENCES_LIFE)
    const status = await this.#fixture.ask('PUT', `/feeds/${FEEDS[1]}`, { token: client.token, body: {} })
    if (status !== 201) this.#fixture.ledger.report('I7', `the second feed is answered ${status}`)
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
    await happen()
    stop.abort()
    await loading
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
  }

  /** The end: every mail comes, links work, the outbox is settled, and SIGTERM ends the service with 0. */
  async end(service: Service): Promise<void> {
    const { ledger, store, client, relay } = this.#fixture
    relay.delay = 0
    relay.decide = () => undefined
    this.#takenOverIn = await awaitMails(ledger, store, this.#lastDeath)
    await tryLinks(ledger, client, this.#random)
    await awaitSettlement(ledger, store)
    await this.examine(true)
    service.signal('SIGTERM')
    const { code, signal } = await service.ended
    if (code !== 0) ledger.report('I7', `SIGTERM ended it with ${signal ?? code}. ${service.stderr}`)
  }

  get figures(): Figures {
    const { ledger, startTimes } = this.#fixture
    return {
      kills: ledger.kills,
      acknowledged: ledger.acknowledged,
      unanswered: ledger.unanswered,
      mails: ledger.mailbox.count,
      duplicates: ledger.mailbox.duplicates.length,
      longestWindow: ledger.longestWindow,
      ready: readiness(startTimes),
      takenOverIn: this.#takenOverIn,
      seconds: (performance.now() - this.#began) / 1_000,
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
