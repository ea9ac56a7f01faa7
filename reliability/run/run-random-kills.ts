import { setTimeout as sleep } from 'node:timers/promises'
import type { SourceChange } from '../fault-injection/source-change.ts'
import type { Finding } from '../finding.ts'
import { Random } from '../random.ts'
import type { Program, Service } from '../service/service.ts'
import { Fixture } from './fixture.ts'
import { type Figures, firstAnswer, Scenario } from './scenario.ts'

interface RandomKillsOrder {
  readonly store: 'sqlite' | 'postgres'
  /** Of a PostgreSQL server, where the store is to be on one. */
  readonly server?: string | undefined
  readonly kills: number
  /** The same seed repeats the run, as far as a machine can. */
  readonly seed: number
  /** Changes to the source of the service, which is run from its source then. */
  readonly changes?: readonly SourceChange[] | undefined
  /** What is run instead of the source. */
  readonly program?: Program | undefined
  /** Requests a second. */
  readonly rate?: number | undefined
  /** Milliseconds under load before a kill. */
  readonly loadFor?: readonly [least: number, most: number] | undefined
  /** After how many kills everything is examined. */
  readonly thoroughEvery?: number | undefined
  /** Called after each kill. */
  readonly progress?: ((kills: number, findings: readonly Finding[]) => void) | undefined
  /** So many findings end the run. */
  readonly enough?: number | undefined
}

export interface RunResult {
  readonly findings: readonly Finding[]
  readonly figures: Figures
}

const RATE = 300
const LOAD_FOR = [100, 500] as const
/** Some processes live longer: else little would happen of what takes several mails, such as a change of address. */
const LONG_LOAD_FOR = [1_500, 3_500] as const
const LONG = 0.15
const THOROUGH_EVERY = 50
const ENOUGH = 20
/** Milliseconds; some kills come after the last request, while its mails are still being sent. */
const LONGEST_LULL = 60
const LULLS = 0.2
/** The share of kills that do not wait for the first answer. */
const EARLY = 0.2
/** Milliseconds that the relay takes for each answer, at random. */
const RELAYS = [0, 0, 1, 8] as const

/** Puts the service under load, kills it, starts it again, and checks that it kept its promises. */
export const runRandomKills = async (order: RandomKillsOrder): Promise<RunResult> => {
  const { changes, kills, thoroughEvery = THOROUGH_EVERY, enough = ENOUGH, progress = () => undefined } = order
  await using fixture = await Fixture.create({ ...order, injection: changes && { changes } })
  const random = new Random(order.seed)
  const scenario = new Scenario(fixture, random, order.rate ?? RATE)
  let service = await scenario.begin()
  for (let kill = 1; kill <= kills && service && scenario.findings.length < enough; kill++) {
    fixture.relay.delay = random.pick(RELAYS)
    const loadFor = random.fraction() < LONG ? LONG_LOAD_FOR : LOAD_FOR
    await killAtRandom(scenario, fixture, service, random, order.loadFor ?? loadFor)
    service = await fixture.start()
    if (service) await scenario.examine(kill % thoroughEvery === 0)
    progress(kill, scenario.findings)
  }
  if (service && scenario.findings.length < enough) await scenario.end(service)
  return { findings: scenario.findings, figures: scenario.figures }
}

const killAtRandom = async (
  scenario: Scenario,
  { ledger }: Fixture,
  service: Service,
  random: Random,
  [least, most]: readonly [number, number],
): Promise<void> => {
  const after = random.between(least, most)
  const lull = random.fraction() < LULLS ? random.between(0, LONGEST_LULL) : 0
  const early = random.fraction() < EARLY
  await scenario.untilDead(service, async (stop) => {
    if (!early) await firstAnswer(ledger, service)
    await Promise.race([sleep(after), service.ended])
    if (lull > 0) {
      stop.abort()
      await sleep(lull)
    }
    if (!service.isRunning) ledger.report('I7', `the service ended by itself. ${service.stderr}`)
    service.signal('SIGKILL')
    stop.abort()
  })
}
