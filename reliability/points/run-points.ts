import { setTimeout as sleep } from 'node:timers/promises'
import { ARMING_SIGNAL, type Injection } from '../fault-injection/fault-injection.ts'
import type { SourceChange } from '../fault-injection/source-change.ts'
import type { Finding } from '../finding.ts'
import { Random } from '../random.ts'
import type { Fault, Step } from '../relay/session.ts'
import { Fixture } from '../run/fixture.ts'
import type { RunResult } from '../run/run-random-kills.ts'
import { type Figures, readiness, Scenario } from '../run/scenario.ts'
import type { Service } from '../service/service.ts'
import { backUpAfterAll, type Death, HARNESS_KILLS } from './harness-kills.ts'
import { inMigration, type Point, type StoreName } from './points.ts'

interface PointsOrder {
  readonly store: StoreName
  readonly server?: string | undefined
  /** Each in turn, and from the first again; without the migration, which `killInMigration` does. */
  readonly points: readonly Point[]
  /** In all. */
  readonly kills: number
  readonly seed: number
  readonly changes?: readonly SourceChange[] | undefined
  /** Requests a second. */
  readonly rate?: number | undefined
}

const RATE = 200
/** Milliseconds within which an armed process must reach its point. */
const PATIENCE = 60_000
const THOROUGH_EVERY = 25
const ENOUGH = 20

/** Kills the service at the points, and checks after each kill that it kept its promises. */
export const runPoints = async (order: PointsOrder): Promise<RunResult> => {
  await using fixture = await Fixture.create(order)
  const random = new Random(order.seed)
  const scenario = new Scenario(fixture, random, order.rate ?? RATE)
  const pointOf = (kill: number): Point => order.points[kill % order.points.length] ?? NOWHERE
  const prepare = (kill: number): void => fixture.inject(injectionAt(pointOf(kill), order.changes ?? [], random))
  prepare(0)
  let service = await scenario.begin()
  for (let kill = 0; kill < order.kills && service && scenario.findings.length < ENOUGH; kill++) {
    await killThere(scenario, pointOf(kill), { fixture, service, random })
    fixture.relay.decide = () => undefined
    prepare(kill + 1)
    service = await fixture.start()
    if (service) await scenario.examine((kill + 1) % THOROUGH_EVERY === 0)
  }
  if (service && scenario.findings.length < ENOUGH) {
    if (order.points.some(isOfBackups)) await backUpAfterAll(fixture)
    await scenario.end(service)
  }
  return { findings: scenario.findings, figures: scenario.figures }
}

const isOfBackups = ({ killer }: Point): boolean => killer.by === 'harness' && killer.during === 'backup'

const NOWHERE: Point = { name: 'nowhere', killer: { by: 'relay', step: 'connect' }, passages: 1 }

const injectionAt = ({ killer, passages }: Point, changes: readonly SourceChange[], random: Random): Injection =>
  killer.by === 'failpoint'
    ? {
        changes: [...changes, ...(killer.changes ?? [])],
        kill: { ...killer.kill, passage: random.whole(1, passages) },
      }
    : { changes }

const killThere = async (scenario: Scenario, { killer, passages }: Point, death: Death): Promise<void> => {
  const { fixture, service, random } = death
  const { ledger } = fixture
  const [answersBefore, mailsBefore] = [ledger.acknowledged, ledger.mailbox.count]
  await scenario.untilDead(service, async (stop) => {
    if (killer.by === 'failpoint') service.signal(ARMING_SIGNAL)
    else if (killer.by === 'relay') fixture.relay.decide = killerAt(killer.step, random.whole(1, passages), service)
    else await HARNESS_KILLS[killer.during](death)
    const patience = AbortSignal.timeout(PATIENCE)
    while (service.isRunning && !patience.aborted) await sleep(5)
    if (service.isRunning) {
      const meanwhile = `${ledger.acknowledged - answersBefore} answers, ${ledger.mailbox.count - mailsBefore} mails`
      ledger.report('I7', `the service did not reach its point within ${PATIENCE} ms: ${meanwhile}`)
      service.signal('SIGKILL')
    }
    const { code } = await service.ended
    if (code !== null && !(killer.by === 'harness' && code === 0))
      ledger.report('I7', `the service ended by itself with ${code}. ${service.stderr}`)
    stop.abort()
  })
}

/** Kills the service when a dialogue reaches the step for the n-th time. The relay keeps a complete mail. */
const killerAt = (step: Step, passage: number, service: Service) => {
  let passages = 0
  return (now: Step): Fault | undefined => {
    if (now !== step || ++passages < passage) return undefined
    service.signal('SIGKILL')
    return { act: step === 'dot' ? 'keep' : 'drop' }
  }
}

interface MigrationOrder {
  readonly store: StoreName
  readonly server?: string | undefined
  readonly kills: number
  readonly seed: number
}

/** Kills the service at its first start, after each statement in turn; then starts it again, and uses it. */
export const killInMigration = async (order: MigrationOrder): Promise<RunResult> => {
  const findings: Finding[] = []
  const all: Figures[] = []
  for (let kill = 1, statement = 1; kill <= order.kills; kill++, statement++) {
    await using fixture = await Fixture.create(order)
    if (!(await dies(order, fixture, statement))) {
      // There are no more statements: begin with the first again.
      if (statement === 1)
        throw new Error('no statement of a migration was reported: the failpoint is not where it should be')
      statement = 0
      kill--
      continue
    }
    const scenario = new Scenario(fixture, new Random(order.seed + kill), 100)
    await goesOn(scenario, fixture)
    findings.push(...scenario.findings.map((finding) => ({ ...finding, kill })))
    all.push(scenario.figures)
  }
  return { findings, figures: sumOf(all) }
}

const dies = async ({ store }: MigrationOrder, fixture: Fixture, statement: number): Promise<boolean> => {
  fixture.inject({ kill: inMigration(store, statement) })
  const service = fixture.launch()
  await Promise.race([service.ready(fixture.client), service.ended])
  if (service.isRunning) {
    await service.kill()
    return false
  }
  if ((await service.ended).signal !== 'SIGKILL') throw new Error(`the service ended by itself. ${service.stderr}`)
  await fixture.bury()
  return true
}

const goesOn = async (scenario: Scenario, fixture: Fixture): Promise<void> => {
  fixture.inject({})
  const service = await scenario.begin()
  if (service === undefined) return
  await scenario.untilDead(service, async (stop) => {
    await sleep(100)
    stop.abort()
    service.signal('SIGTERM')
  })
  const again = await fixture.start()
  if (again) await scenario.end(again)
}

const sumOf = (all: readonly Figures[]): Figures => {
  const sum = (of: (figures: Figures) => number): number => all.reduce((total, figures) => total + of(figures), 0)
  return {
    kills: all.length,
    acknowledged: sum(({ acknowledged }) => acknowledged),
    unanswered: sum(({ unanswered }) => unanswered),
    mails: sum(({ mails }) => mails),
    duplicates: sum(({ duplicates }) => duplicates),
    longestWindow: Math.max(...all.map(({ longestWindow }) => longestWindow)),
    ready: readiness(all.flatMap(({ ready }) => ready.most)),
    takenOverIn: Math.max(...all.map(({ takenOverIn }) => takenOverIn)),
    seconds: sum(({ seconds }) => seconds),
  }
}
