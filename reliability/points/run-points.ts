import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ARMING_SIGNAL, type Injection } from '../fault-injection/fault-injection.ts'
import type { Planting } from '../fault-injection/planting.ts'
import { Random } from '../random.ts'
import type { Fault, Step } from '../relay/fault.ts'
import { fromSource, type Program } from '../service/program.ts'
import type { Service } from '../service/service.ts'
import { Course } from '../trial/course.ts'
import type { TrialResult } from '../trial/run-trial.ts'
import { Scene } from '../trial/scene.ts'
import { backUpAfterAll, type Death, HARNESS_KILLS } from './harness-kills.ts'
import type { Point, StoreName } from './points.ts'

export interface PointsOrder {
  readonly store: StoreName
  readonly server?: string | undefined
  /** One after another, and from the first again; not those that have a way of their own. */
  readonly points: readonly Point[]
  /** In all. */
  readonly kills: number
  readonly seed: number
  readonly plantings?: readonly Planting[] | undefined
  /** Requests a second. */
  readonly rate?: number | undefined
}

const RATE = 200
/** Milliseconds in which a process that is armed must get to where it is to die. */
const PATIENCE = 60_000
const THOROUGH_EVERY = 25
const ENOUGH = 20

/** Kills the service where the points are, and looks each time whether it kept its promises. */
export const runPoints = async (order: PointsOrder): Promise<TrialResult> => {
  await using scene = await Scene.set(order)
  const random = new Random(order.seed)
  const course = new Course(scene, random, order.rate ?? RATE)
  const file = path.join(scene.home.folder, 'injection.json')
  const pointOf = (kill: number): Point => order.points[kill % order.points.length] ?? NOWHERE
  const programFor = (kill: number): Program =>
    fromSource(injectionAt(pointOf(kill), order.plantings ?? [], random), file)
  let program = programFor(0)
  let service = await course.begin(program)
  for (let kill = 0; kill < order.kills && service && course.findings.length < ENOUGH; kill++) {
    await killThere(course, pointOf(kill), { scene, service, program, random })
    scene.relay.decide = () => undefined
    program = programFor(kill + 1)
    service = await scene.start(program)
    if (service) await course.examine(program, (kill + 1) % THOROUGH_EVERY === 0)
  }
  if (service && course.findings.length < ENOUGH) {
    if (order.points.some(isOfBackups)) await backUpAfterAll(scene, program)
    await course.end(program, service)
  }
  return { findings: course.findings, figures: course.figures }
}

const isOfBackups = ({ killer }: Point): boolean => killer.by === 'harness' && killer.during === 'backup'

const NOWHERE: Point = { name: 'nowhere', killer: { by: 'relay', step: 'connect' }, passages: 1 }

const injectionAt = ({ killer, passages }: Point, plantings: readonly Planting[], random: Random): Injection =>
  killer.by === 'failpoint'
    ? {
        plantings: [...plantings, ...(killer.plantings ?? [])],
        kill: { ...killer.kill, passage: random.whole(1, passages) },
      }
    : { plantings }

const killThere = async (course: Course, { killer, passages }: Point, death: Death): Promise<void> => {
  const { scene, service, random } = death
  const { ledger } = scene
  const [answersBefore, mailsBefore] = [ledger.acknowledged, ledger.mailbox.count]
  await course.untilDead(service, async (stop) => {
    if (killer.by === 'failpoint') service.signal(ARMING_SIGNAL)
    else if (killer.by === 'relay') scene.relay.decide = killerAt(killer.step, random.whole(1, passages), service)
    else await HARNESS_KILLS[killer.during](death)
    const patience = AbortSignal.timeout(PATIENCE)
    while (service.isRunning && !patience.aborted) await sleep(5)
    if (service.isRunning) {
      const meanwhile = `${ledger.acknowledged - answersBefore} answers, ${ledger.mailbox.count - mailsBefore} mails`
      ledger.report('I7', `the service never got to where it was to be killed, in ${PATIENCE} ms: ${meanwhile}`)
      service.signal('SIGKILL')
    }
    const { code } = await service.ended
    if (code !== null && !(killer.by === 'harness' && code === 0))
      ledger.report('I7', `the service ended by itself with ${code}. ${service.stderr}`)
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
