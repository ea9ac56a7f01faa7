import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../finding.ts'
import { Random } from '../random.ts'
import { fromSource } from '../service/program.ts'
import { Course } from '../trial/course.ts'
import { type Figures, readiness } from '../trial/figures.ts'
import type { TrialResult } from '../trial/run-trial.ts'
import { Scene } from '../trial/scene.ts'
import { inMigration, type StoreName } from './points.ts'

export interface MigrationOrder {
  readonly store: StoreName
  readonly server?: string | undefined
  readonly kills: number
  readonly seed: number
}

/** Killed at its first start, after each statement in turn; then started again, and put to use. */
export const killInMigration = async (order: MigrationOrder): Promise<TrialResult> => {
  const findings: Finding[] = []
  const all: Figures[] = []
  for (let kill = 1, statement = 1; kill <= order.kills; kill++, statement++) {
    await using scene = await Scene.set(order)
    if (!(await dies(order, scene, statement))) {
      // It was the last statement: from the first again.
      if (statement === 1)
        throw new Error('no statement of a migration was reported: the failpoint is not where it should be')
      statement = 0
      kill--
      continue
    }
    const course = new Course(scene, new Random(order.seed + kill), 100)
    await goesOn(course, scene)
    findings.push(...course.findings.map((finding) => ({ ...finding, kill })))
    all.push(course.figures)
  }
  return { findings, figures: sumOf(all) }
}

const dies = async ({ store }: MigrationOrder, scene: Scene, statement: number): Promise<boolean> => {
  const file = path.join(scene.home.folder, 'injection.json')
  const program = fromSource({ kill: inMigration(store, statement) }, file)
  const service = scene.launch(program)
  await Promise.race([service.ready(scene.client), service.ended])
  if (service.isRunning) {
    await service.kill()
    return false
  }
  if ((await service.ended).signal !== 'SIGKILL') throw new Error(`the service ended by itself. ${service.stderr}`)
  await scene.bury()
  return true
}

const goesOn = async (course: Course, scene: Scene): Promise<void> => {
  const program = fromSource()
  const service = await course.begin(program)
  if (service === undefined) return
  await course.untilDead(service, async (stop) => {
    await sleep(100)
    stop.abort()
    service.signal('SIGTERM')
  })
  const again = await scene.start(program)
  if (again) await course.end(program, again)
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
