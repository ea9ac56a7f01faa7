import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../finding.ts'
import { Random } from '../random.ts'
import { type Figures, readiness } from '../run/figures.ts'
import { Fixture } from '../run/fixture.ts'
import type { RunResult } from '../run/run-random-kills.ts'
import { Scenario } from '../run/scenario.ts'
import { inMigration, type StoreName } from './points.ts'

export interface MigrationOrder {
  readonly store: StoreName
  readonly server?: string | undefined
  readonly kills: number
  readonly seed: number
}

/** Killed at its first start, after each statement in turn; then started again, and put to use. */
export const killInMigration = async (order: MigrationOrder): Promise<RunResult> => {
  const findings: Finding[] = []
  const all: Figures[] = []
  for (let kill = 1, statement = 1; kill <= order.kills; kill++, statement++) {
    await using fixture = await Fixture.create(order)
    if (!(await dies(order, fixture, statement))) {
      // It was the last statement: from the first again.
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
