import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Planting } from '../fault-injection/planting.ts'
import type { Finding } from '../finding.ts'
import { Random } from '../random.ts'
import { fromSource, type Program } from '../service/program.ts'
import type { Service } from '../service/service.ts'
import { Course } from './course.ts'
import type { Figures } from './figures.ts'
import { firstAnswer } from './first-answer.ts'
import { Scene } from './scene.ts'

export interface TrialOrder {
  readonly store: 'sqlite' | 'postgres'
  /** Of a PostgreSQL server, where the store is to be on one. */
  readonly server?: string | undefined
  readonly kills: number
  /** What the same trial comes of again, as far as a machine does the same twice. */
  readonly seed: number
  /** What is changed in the source of the service; it is run from its source then. */
  readonly plantings?: readonly Planting[] | undefined
  /** What is run instead of the source. */
  readonly program?: Program | undefined
  /** Requests a second. */
  readonly rate?: number | undefined
  /** Milliseconds under load before a kill. */
  readonly loadFor?: readonly [least: number, most: number] | undefined
  /** After how many kills everything is looked at, and not only what was touched. */
  readonly thoroughEvery?: number | undefined
  /** Told after each kill. */
  readonly progress?: ((kills: number, findings: readonly Finding[]) => void) | undefined
  /** So many findings end the trial. */
  readonly enough?: number | undefined
}

export interface TrialResult {
  readonly findings: readonly Finding[]
  readonly figures: Figures
}

const RATE = 300
const LOAD_FOR = [100, 500] as const
const THOROUGH_EVERY = 50
const ENOUGH = 20
/** Milliseconds; some kills come when nobody asks any more, and the mails of the last requests are still going out. */
const LONGEST_LULL = 60
const LULLS = 0.2
/** So many do not wait for the first answer, which on a busy machine may be long in coming. */
const EARLY = 0.2
/** Milliseconds that the relay takes over each answer, by chance. */
const RELAYS = [0, 0, 1, 8] as const

/** Puts the service under load, kills it, starts it again and looks whether it kept its promises; so often. */
export const runTrial = async (order: TrialOrder): Promise<TrialResult> => {
  await using scene = await Scene.set(order)
  const random = new Random(order.seed)
  const program =
    order.program ?? fromSource({ plantings: order.plantings }, path.join(scene.home.folder, 'injection.json'))
  const course = new Course(scene, random, order.rate ?? RATE)
  const { kills, thoroughEvery = THOROUGH_EVERY, enough = ENOUGH, progress = () => undefined } = order
  let service = await course.begin(program)
  for (let kill = 1; kill <= kills && service && course.findings.length < enough; kill++) {
    scene.relay.delay = random.pick(RELAYS)
    await killAtRandom(course, scene, service, random, order.loadFor ?? LOAD_FOR)
    service = await scene.start(program)
    if (service) await course.examine(program, kill % thoroughEvery === 0)
    progress(kill, course.findings)
  }
  if (service && course.findings.length < enough) await course.end(program, service)
  return { findings: course.findings, figures: course.figures }
}

const killAtRandom = async (
  course: Course,
  { ledger }: Scene,
  service: Service,
  random: Random,
  [least, most]: readonly [number, number],
): Promise<void> => {
  const after = random.between(least, most)
  const lull = random.fraction() < LULLS ? random.between(0, LONGEST_LULL) : 0
  const early = random.fraction() < EARLY
  await course.untilDead(service, async (stop) => {
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
