import { setTimeout as sleep } from 'node:timers/promises'
import { Fixture, type FixtureOptions } from '../shared/fixture.ts'
import { Random } from '../shared/random.ts'
import { broken, type Row } from '../shared/report.ts'
import { Scenario } from '../shared/scenario.ts'
import type { Given } from '../shared/target.ts'

export interface WorldContext extends Pick<Given, 'program'> {
  readonly seed: number
  /** How often an instance is killed, and each primary lost. */
  readonly times: number
  readonly log: (line: string) => void
  /** With less of everything, as for a test. */
  readonly isQuick?: boolean
}

/** Requests a second. */
const [RATE, QUICK_RATE] = [200, 80]
/** Milliseconds in which the service must answer 2xx after its database takes writes again. */
const AGAIN_WITHIN = 2_000
const READY_WITHIN = 60_000
const PATIENCE = 30_000

/** What came of all requests under one kind of trouble. */
interface Tally {
  times: number
  acknowledged: number
  /** Answered 503, or 408, 502 or 504 by something in between, or not at all: to be asked again. */
  refused: number
  /** Milliseconds until the next 2xx. */
  readonly again: number[]
}

/** A service under load beside what others made, and a ledger of what its clients were answered. */
export class WorldRun implements AsyncDisposable {
  readonly fixture: Fixture
  readonly #context: WorldContext
  readonly #scenario: Scenario
  readonly #tallies = new Map<string, Tally>()
  /** When each 2xx came. */
  readonly #times: number[] = []

  private constructor(context: WorldContext, fixture: Fixture) {
    const awaitsCopies = !context.isQuick
    this.fixture = fixture
    this.#context = context
    this.#scenario = new Scenario(fixture, new Random(context.seed), context.isQuick ? QUICK_RATE : RATE, {
      awaitsCopies,
    })
    fixture.ledger.onOutcome = (_, status = 0) => {
      if (status >= 200 && status < 300) this.#times.push(performance.now())
    }
  }

  /** Not started yet. */
  static async make(context: WorldContext, place: Omit<FixtureOptions, 'program'>): Promise<WorldRun> {
    return new WorldRun(context, await Fixture.create({ program: context.program, ...place }))
  }

  /** @throws {Error} the service did not become ready */
  async start(): Promise<void> {
    if ((await this.#scenario.begin()) === undefined) throw new Error(this.fixture.ledger.findings.at(-1)?.message)
  }

  /** Something happens under load, which counts under this name. Then it is looked whether anything is lost. */
  async under(name: string, happen: (tally: Tally) => Promise<void>): Promise<Tally> {
    const { ledger, target } = this.fixture
    const tally = this.#tallies.get(name) ?? { times: 0, acknowledged: 0, refused: 0, again: [] }
    this.#tallies.set(name, tally)
    const before = { acknowledged: ledger.acknowledged, unanswered: ledger.unanswered }
    await this.#scenario.whileServing(() => happen(tally))
    if (ledger.acknowledged === before.acknowledged) throw new Error(`${name}: nothing was acknowledged`)
    tally.times++
    tally.acknowledged += ledger.acknowledged - before.acknowledged
    tally.refused += ledger.unanswered - before.unanswered
    // What was not answered may still be carried out.
    await target.store.idle()
    await this.#scenario.examine(false)
    this.#context.log(`  ${name}: ${tally.acknowledged} acknowledged, ${ledger.findings.length} findings in all`)
    return tally
  }

  calm(seconds = this.#context.isQuick ? 1 : 20): Promise<void> {
    return sleep(seconds * 1_000)
  }

  /** Waits until `/readyz` is answered so: whatever has happened, within a minute. */
  async becomes(status: number): Promise<void> {
    const { ledger, target } = this.fixture
    if (!(await target.service.comesTo(status, READY_WITHIN)))
      ledger.report('I7', `/readyz was not ${status} within a minute. ${target.service.stderr}`)
  }

  /** Waits for the next 2xx since the database takes writes. */
  async again(tally: Tally, since: number): Promise<void> {
    let next: number | undefined
    for (const end = performance.now() + PATIENCE; next === undefined && performance.now() < end; await sleep(5))
      next = this.#times[this.#times.findLastIndex((time) => time < since) + 1]
    tally.again.push((next ?? Number.POSITIVE_INFINITY) - since)
  }

  /** Every mail comes, links work, and the service ends by SIGTERM. All rows. */
  async end(): Promise<readonly Row[]> {
    await this.#scenario.end(this.fixture.target.service)
    const rows = [...this.#tallies].flatMap(([name, { times, acknowledged, refused, again }]): Row[] => [
      {
        ...{ figure: `${name}: acknowledged`, found: acknowledged, bound: undefined },
        note: `${times} times; ${refused} requests were put off or cut off`,
      },
      ...(again.length === 0
        ? []
        : [
            {
              ...{ figure: `${name}: longest until the next 2xx`, found: Math.max(...again) },
              ...{ bound: AGAIN_WITHIN, unit: 'ms' },
            },
          ]),
    ])
    return [...rows, broken(this.#scenario.findings)]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fixture[Symbol.asyncDispose]()
  }
}
