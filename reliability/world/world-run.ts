import { setTimeout as sleep } from 'node:timers/promises'
import type { Invariant } from '../../proving/shared/finding.ts'
import { Fixture } from '../../proving/shared/fixture.ts'
import { Random } from '../../proving/shared/random.ts'
import { readiness, Scenario } from '../../proving/shared/scenario.ts'
import type { Service } from '../../proving/shared/service.ts'
import { Tally } from './tally.ts'
import { worldLoad } from './world-load.ts'
import type { WorldContext } from './world-scenario.ts'

/** Milliseconds in which the service must answer 2xx again. */
const AGAIN_WITHIN = 2_000
/** Milliseconds after which it is not waited for any more. */
const PATIENCE = 30_000
const ENOUGH = 20

type FixtureOptions = Parameters<typeof Fixture.create>[0]

/** A service under the load of the world, with its ledger. */
export class WorldRun implements AsyncDisposable {
  readonly fixture: Fixture
  readonly random: Random
  readonly #scenario: Scenario
  readonly #tally: Tally
  readonly #rows: Row[] = []
  readonly #context: WorldContext
  #shown = 0

  private constructor(fixture: Fixture, context: WorldContext) {
    this.fixture = fixture
    this.#context = context
    this.random = new Random(context.seed)
    this.#tally = new Tally(fixture.ledger)
    this.#scenario = new Scenario(fixture, this.random, worldLoad(fixture, this.random))
  }

  static async create(context: WorldContext, options: FixtureOptions): Promise<WorldRun> {
    return new WorldRun(await Fixture.create({ store: 'postgres', program: context.program(), ...options }), context)
  }

  /**
   * `token` is one of an administrator, where the service issues none.
   * @throws {Error} it did not become ready
   */
  async start(token?: string): Promise<Service> {
    if (token !== undefined) {
      this.fixture.client.token = token
      return await this.fixture.mustStart()
    }
    const service = await this.#scenario.begin()
    if (service === undefined) throw new Error(this.findings.at(-1)?.message)
    return service
  }

  get findings() {
    return this.#scenario.findings
  }

  get hasEnough(): boolean {
    return this.findings.length >= ENOUGH
  }

  report(invariant: Invariant, message: string): void {
    this.fixture.ledger.report(invariant, message)
  }

  /** Something happens under load, which counts under this name. Then what the ledger knows is compared with the store. */
  async under(name: string, happen: (row: Row) => Promise<void>): Promise<Row> {
    const row = this.#rowOf(name)
    const before = { ...this.#tally }
    const began = performance.now()
    await this.#scenario.whileServing(async () => {
      await happen(row)
      row.seconds += (performance.now() - began) / 1_000
    })
    row.times++
    row.add(this.#tally, before)
    await this.#compare()
    this.#show(name)
    return row
  }

  #show(name: string): void {
    const { log } = this.#context
    log(`  ${name}: ${this.findings.length} findings`)
    for (const { invariant, message } of this.findings.slice(this.#shown)) log(`    ${invariant} ${message}`)
    this.#shown = this.findings.length
  }

  async #compare(): Promise<void> {
    await this.fixture.store.idle()
    await this.#scenario.examine(false)
  }

  /** Waits until the service answers 2xx, which it must soon after the database takes writes. */
  async again(row: Row, outageBegan: number, writesSince: number): Promise<void> {
    const again = await this.#tally.doneAfter(writesSince, PATIENCE)
    row.outages.push(writesSince - outageBegan)
    row.again.push(again ?? PATIENCE)
    if (again === undefined || again > AGAIN_WITHIN)
      this.report(
        'W1',
        `${row.name}: the next 2xx came ${again === undefined ? 'never' : `after ${Math.round(again)} ms`}`,
      )
  }

  /** Some time under load with nothing else. */
  async calm(seconds: number): Promise<void> {
    await sleep(seconds * 1_000)
  }

  /** Every mail comes, everything is compared, and the service ends by SIGTERM. */
  async end(service: Service): Promise<void> {
    if (!service.isRunning) this.report('I7', `the service ended by itself. ${service.stderr}`)
    else await this.#scenario.end(service)
  }

  get rows(): readonly Readonly<Record<string, string | number>>[] {
    const lost = this.findings.filter(({ invariant }) => invariant === 'I1').length
    return this.#rows.map((row) => row.cells(lost))
  }

  #rowOf(name: string): Row {
    const known = this.#rows.find((row) => row.name === name)
    if (known) return known
    const row = new Row(name)
    this.#rows.push(row)
    return row
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fixture[Symbol.asyncDispose]()
  }
}

type Counts = Pick<Tally, 'signUps' | 'deletions' | 'done' | 'refused' | 'cutOff' | 'faults'>

/** What came of one kind of trouble. */
export class Row {
  readonly name: string
  times = 0
  seconds = 0
  /** Milliseconds without a server that takes writes, and from then to the next 2xx. */
  readonly outages: number[] = []
  readonly again: number[] = []
  readonly counts: { -readonly [Name in keyof Counts]: number }

  constructor(name: string) {
    this.name = name
    this.counts = { signUps: 0, deletions: 0, done: 0, refused: 0, cutOff: 0, faults: 0 }
  }

  add(now: Counts, before: Counts): void {
    for (const name of Object.keys(this.counts) as (keyof Counts)[]) this.counts[name] += now[name] - before[name]
  }

  cells(lost: number): Readonly<Record<string, string | number>> {
    const { signUps, deletions, done, refused, cutOff, faults } = this.counts
    return {
      what: this.name,
      times: this.times,
      acknowledged: done,
      'lost (in all)': lost,
      'answered 500': faults,
      'answered 503': refused,
      'cut off': cutOff,
      'sign-ups, deletions a second': `${perSecond(signUps, this.seconds)}, ${perSecond(deletions, this.seconds)}`,
      'no writes: median, most': inMilliseconds(this.outages),
      'then 2xx again after: median, most': inMilliseconds(this.again),
    }
  }
}

const perSecond = (count: number, seconds: number): string => (count / seconds).toFixed(1)

const inMilliseconds = (times: readonly number[]): string => {
  if (times.length === 0) return ''
  const { median, most } = readiness(times)
  return `${Math.round(median)} ms, ${Math.round(most)} ms`
}
