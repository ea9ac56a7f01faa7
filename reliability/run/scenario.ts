import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../finding.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { Load } from '../load/load.ts'
import type { Random } from '../random.ts'
import type { Service } from '../service/service.ts'
import { Examination } from './examination.ts'
import type { Fixture } from './fixture.ts'
import { awaitMails, awaitSettlement, tryLinks } from './pending-mails.ts'

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
  readonly #load: Load
  readonly #examination: Examination
  readonly #began = performance.now()
  #lastDeath = this.#began
  #takenOverIn = Number.NaN

  /** `rate` is in requests a second. */
  constructor(fixture: Fixture, random: Random, rate: number) {
    this.#fixture = fixture
    this.#random = random
    this.#load = new Load(fixture.ledger, fixture.client, random.fork(), rate)
    this.#examination = new Examination(fixture.ledger, fixture.store)
  }

  get findings(): readonly Finding[] {
    return this.#fixture.ledger.findings
  }

  /** The first start of the service; undefined where it failed. */
  async begin(): Promise<Service | undefined> {
    const service = await this.#fixture.start()
    if (service === undefined) return undefined
    this.#fixture.client.token = await this.#fixture.token('harness', 'admin')
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
