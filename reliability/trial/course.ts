import type { Finding } from '../finding.ts'
import { Load } from '../load/load.ts'
import type { Random } from '../random.ts'
import type { Program } from '../service/program.ts'
import type { Service } from '../service/service.ts'
import { Examination } from './examination.ts'
import { type Figures, readiness } from './figures.ts'
import { awaitMails, awaitSettlement, tryLinks } from './owed-mails.ts'
import type { Scene } from './scene.ts'

/** What happens on a scene: load, death, examination, again and again, and an end at which all debts are paid. */
export class Course {
  readonly #scene: Scene
  readonly #random: Random
  readonly #load: Load
  readonly #examination: Examination
  readonly #began = performance.now()
  #lastDeath = this.#began
  #takenOverIn = Number.NaN

  /** `rate` is in requests a second. */
  constructor(scene: Scene, random: Random, rate: number) {
    this.#scene = scene
    this.#random = random
    this.#load = new Load(scene.ledger, scene.client, random.fork(), rate)
    this.#examination = new Examination(scene.ledger, scene.store)
  }

  get findings(): readonly Finding[] {
    return this.#scene.ledger.findings
  }

  /** The first life of the service; undefined where it was none. */
  async begin(program: Program): Promise<Service | undefined> {
    const service = await this.#scene.start(program)
    if (service === undefined) return undefined
    const holding = ['--subject', 'harness', '--role', 'admin', '--ttl', '1d']
    const token = await this.#scene.command(program, 'token', 'issue', ...holding)
    this.#scene.client.token = token?.trim() ?? ''
    return service
  }

  /** Load until the service is dead, which is what `death` sees to; it may stop the load before. */
  async untilDead(service: Service, death: (stop: AbortController) => Promise<void>): Promise<void> {
    const stop = new AbortController()
    const loading = this.#load.run(stop.signal)
    await death(stop)
    await service.ended
    stop.abort()
    await loading
    this.#lastDeath = performance.now()
    await this.#scene.bury()
  }

  /** Load while something happens that the service must survive; afterwards nothing that was asked is unanswered. */
  async whileServing(happen: () => Promise<void>): Promise<void> {
    const stop = new AbortController()
    const loading = this.#load.run(stop.signal)
    await happen()
    stop.abort()
    await loading
    this.#lastDeath = performance.now()
  }

  /** Whoever has asked for something since the last time; or everybody and everything. */
  async examine(program: Program, thoroughly: boolean): Promise<void> {
    if (!thoroughly) {
      await this.#examination.ofTouched()
      return
    }
    await this.#examination.ofAll()
    await this.#scene.command(program, 'audit', 'verify')
  }

  /** With a living service: every mail comes, every link works, nothing is left to do, and it goes when it is asked. */
  async end(program: Program, service: Service): Promise<void> {
    const { ledger, store, client, relay } = this.#scene
    relay.delay = 0
    relay.decide = () => undefined
    this.#takenOverIn = await awaitMails(ledger, store, this.#lastDeath)
    await tryLinks(ledger, client, this.#random)
    await awaitSettlement(ledger, store)
    await this.examine(program, true)
    service.signal('SIGTERM')
    const { code, signal } = await service.ended
    if (code !== 0) ledger.report('I7', `SIGTERM ended it with ${signal ?? code}. ${service.stderr}`)
  }

  get figures(): Figures {
    const { ledger, startTimes } = this.#scene
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
