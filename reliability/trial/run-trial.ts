import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../finding.ts'
import { Load } from '../load/load.ts'
import type { Planting } from '../plant/planting.ts'
import { Random } from '../random.ts'
import { fromSource, type Program } from '../service/program.ts'
import type { Service } from '../service/service.ts'
import { Examination } from './examination.ts'
import { type Figures, readiness } from './figures.ts'
import { awaitMails, awaitSettlement, tryLinks } from './owed-mails.ts'
import { Scene } from './scene.ts'

export interface TrialOrder {
  readonly store: 'sqlite' | 'postgres'
  /** Of a PostgreSQL server, where the store is to be on one. */
  readonly server?: string | undefined
  readonly kills: number
  /** What the same trial comes of again, as far as a machine does the same twice. */
  readonly seed: number
  /** What is changed in the source of the service; it is run from its source then. */
  readonly plantings?: readonly Planting[]
  /** What is run instead of the source. */
  readonly program?: Program | undefined
  /** Requests a second. */
  readonly rate?: number
  /** Milliseconds under load before a kill. */
  readonly loadFor?: readonly [least: number, most: number]
  /** After how many kills everything is looked at, and not only what was touched. */
  readonly thoroughEvery?: number
  /** Told after each kill. */
  readonly progress?: (kills: number, findings: number) => void
  /** Enough findings to end the trial. */
  readonly enough?: number
}

export interface TrialResult {
  readonly findings: readonly Finding[]
  readonly figures: Figures
}

/** Milliseconds; some kills come when the mails of the last requests are still going out. */
const LONGEST_LULL = 60
const SLOWEST_RELAY = 8

/** Puts the service under load, kills it, starts it again and looks whether it kept its promises; so often. */
export const runTrial = async (order: TrialOrder): Promise<TrialResult> => {
  await using scene = await Scene.set(order)
  return await new Trial(order, scene).run()
}

class Trial {
  readonly #order: TrialOrder
  readonly #scene: Scene
  readonly #program: Program
  readonly #random: Random
  readonly #load: Load
  readonly #examination: Examination
  readonly #began = performance.now()
  #lastDeath = 0
  #takenOverIn = Number.NaN

  constructor(order: TrialOrder, scene: Scene) {
    const { ledger, client, store, home } = scene
    this.#order = order
    this.#scene = scene
    this.#program = order.program ?? fromSource(order.plantings ?? [], path.join(home.folder, 'plantings.json'))
    this.#random = new Random(order.seed)
    this.#load = new Load(ledger, client, this.#random.fork(), order.rate ?? 300)
    this.#examination = new Examination(ledger, store)
  }

  async run(): Promise<TrialResult> {
    let service = await this.#begin()
    const { kills, thoroughEvery = 50, progress = () => undefined, enough = 100 } = this.#order
    for (let kill = 1; kill <= kills && service && this.#findings.length < enough; kill++) {
      await this.#killUnderLoad(service)
      service = await this.#scene.start(this.#program)
      if (service) await this.#examine(kill % thoroughEvery === 0)
      progress(kill, this.#findings.length)
    }
    if (service && this.#findings.length < enough) await this.#end(service)
    return { findings: this.#findings, figures: this.#figures() }
  }

  get #findings(): readonly Finding[] {
    return this.#scene.ledger.findings
  }

  async #begin(): Promise<Service | undefined> {
    const service = await this.#scene.start(this.#program)
    if (service === undefined) return undefined
    const holding = ['--subject', 'harness', '--role', 'admin', '--ttl', '1d']
    const token = await this.#scene.command(this.#program, 'token', 'issue', ...holding)
    this.#scene.client.token = token?.trim() ?? ''
    return service
  }

  async #killUnderLoad(service: Service): Promise<void> {
    const { relay } = this.#scene
    const [least, most] = this.#order.loadFor ?? [100, 500]
    relay.delay = this.#random.pick([0, 0, 1, SLOWEST_RELAY])
    const stop = new AbortController()
    const loading = this.#load.run(stop.signal)
    await Promise.race([sleep(this.#random.between(least, most)), service.ended])
    // Now and then what was asked for is answered already, and only mails are under way.
    if (this.#random.fraction() < 0.2) {
      stop.abort()
      await sleep(this.#random.between(0, LONGEST_LULL))
    }
    if (!service.isRunning) this.#scene.ledger.report('I7', `the service ended by itself. ${service.stderr}`)
    service.signal('SIGKILL')
    stop.abort()
    await service.ended
    await loading
    this.#lastDeath = performance.now()
    await this.#scene.bury()
  }

  async #examine(thoroughly: boolean): Promise<void> {
    if (!thoroughly) {
      await this.#examination.ofTouched()
      return
    }
    await this.#examination.ofAll()
    await this.#scene.command(this.#program, 'audit', 'verify')
  }

  async #end(service: Service): Promise<void> {
    const { ledger, store, client, relay } = this.#scene
    relay.delay = 0
    this.#takenOverIn = (await awaitMails(ledger, store, this.#lastDeath)) || 0
    await tryLinks(ledger, client, this.#random)
    await awaitSettlement(ledger, store)
    await this.#examine(true)
    service.signal('SIGTERM')
    const { code, signal } = await service.ended
    if (code !== 0) ledger.report('I7', `SIGTERM ended it with ${signal ?? code}. ${service.stderr}`)
  }

  #figures(): Figures {
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
