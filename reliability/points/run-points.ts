import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ARMING_SIGNAL } from '../plant/kill-at.ts'
import { Random } from '../random.ts'
import type { Fault, Step } from '../relay/fault.ts'
import { fromSource, type Program } from '../service/program.ts'
import type { Service } from '../service/service.ts'
import { Course } from '../trial/course.ts'
import type { TrialResult } from '../trial/run-trial.ts'
import { Scene } from '../trial/scene.ts'
import { killInBackup } from './kill-in-backup.ts'
import { killInMigration } from './kill-in-migration.ts'
import type { Point, StoreName } from './points.ts'

export interface PointOrder {
  readonly store: StoreName
  readonly server?: string | undefined
  readonly point: Point
  /** How often it is killed there. */
  readonly kills: number
  readonly seed: number
  readonly progress?: ((kills: number, findings: number) => void) | undefined
}

const RATE = 200
/** Milliseconds in which a process that is armed must get to where it is to die. */
const PATIENCE = 20_000
const LONGEST_DRAIN = 40
const ENOUGH = 20

/** Kills the service where the point is, so often, and looks each time whether it kept its promises. */
export const runPoint = async (order: PointOrder): Promise<TrialResult> => {
  const { killer } = order.point
  if (killer.by === 'harness' && killer.during === 'migration') return await killInMigration(order)
  await using scene = await Scene.set(order)
  if (killer.by === 'harness' && killer.during === 'backup') return await killInBackup(order, scene)
  const random = new Random(order.seed)
  const course = new Course(scene, random, RATE)
  const list = path.join(scene.home.folder, 'plantings.json')
  const programFor = (): Program => fromSource(plantingsOf(order, random), list)
  let service = await course.begin(programFor())
  for (let kill = 1; kill <= order.kills && service && course.findings.length < ENOUGH; kill++) {
    await killThere(course, scene, service, order.point, random)
    scene.relay.decide = () => undefined
    const program = programFor()
    service = await scene.start(program)
    if (service) await course.examine(program, kill % 25 === 0)
    order.progress?.(kill, course.findings.length)
  }
  if (service && course.findings.length < ENOUGH) await course.end(programFor(), service)
  return { findings: course.findings, figures: course.figures }
}

const plantingsOf = ({ store, point: { killer, passages } }: PointOrder, random: Random) =>
  killer.by === 'planting' ? killer.plantings(store, random.whole(1, passages)) : []

const killThere = async (course: Course, scene: Scene, service: Service, point: Point, random: Random) => {
  const { killer, passages } = point
  await course.untilDead(service, async (stop) => {
    if (killer.by === 'planting') service.signal(ARMING_SIGNAL)
    else if (killer.by === 'relay') scene.relay.decide = killerAt(killer.step, random.whole(1, passages), service)
    else await killInTime(scene, service, killer.during, random)
    const patience = AbortSignal.timeout(PATIENCE)
    while (service.isRunning && !patience.aborted) await sleep(5)
    if (service.isRunning) {
      scene.ledger.report('I7', 'the service never got to where it was to be killed: the point must be looked at again')
      service.signal('SIGKILL')
    }
    const { code } = await service.ended
    if (code !== null && !(killer.by === 'harness' && code === 0))
      scene.ledger.report('I7', `the service ended by itself with ${code}. ${service.stderr}`)
    stop.abort()
  })
}

/** At the n-th time that a dialogue comes to the step. The relay has the mail then, where it is all there. */
const killerAt = (step: Step, passage: number, service: Service) => {
  let passages = 0
  return (now: Step): Fault | undefined => {
    if (now !== step || ++passages < passage) return undefined
    service.signal('SIGKILL')
    return { act: step === 'dot' ? 'keep' : 'drop' }
  }
}

const killInTime = async ({ store }: Scene, service: Service, during: string, random: Random): Promise<void> => {
  await sleep(random.between(50, 200))
  if (during === 'drain') service.signal('SIGTERM')
  const checkpoint = during === 'checkpoint' ? store.checkpoint() : undefined
  await sleep(random.between(0, during === 'drain' ? LONGEST_DRAIN : 5))
  service.signal('SIGKILL')
  await checkpoint
}
