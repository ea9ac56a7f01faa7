import { setTimeout as sleep } from 'node:timers/promises'
import { PgBouncer } from '../../packages/storage-sql/test/postgres-server/pgbouncer.ts'
import { startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import type { Finding } from '../finding.ts'
import { Random } from '../random.ts'
import { fromSource, type Program } from '../service/program.ts'
import type { Service } from '../service/service.ts'
import { Course } from '../trial/course.ts'
import { type Figures, readiness } from '../trial/figures.ts'
import { Scene } from '../trial/scene.ts'
import { type Between, TROUBLES, type Trouble } from './troubles.ts'

export interface PoolerOrder {
  /** How many in all; each kind in turn, in another order each time. */
  readonly troubles: number
  readonly seed: number
  /** What is run instead of the source. */
  readonly program?: Program | undefined
  /** Requests a second. */
  readonly rate?: number | undefined
  /** Of the PostgreSQL server, as in postgresql.conf. */
  readonly postgres?: Readonly<Record<string, string>> | undefined
  /** As in pgbouncer.ini. */
  readonly pgbouncer?: Readonly<Record<string, string>> | undefined
  /** Told after each of them. */
  readonly progress?: ((done: number, findings: readonly Finding[]) => void) | undefined
}

export interface TroubleResult {
  readonly trouble: string
  readonly times: number
  readonly acknowledged: number
  /** Requests that were answered 503, or not at all. */
  readonly refused: number
  /** Milliseconds from when all was there again until the service said that it was ready. */
  readonly ready: Figures['ready']
}

export interface PoolerResult {
  readonly findings: readonly Finding[]
  readonly figures: Figures
  readonly results: readonly TroubleResult[]
}

const RATE = 200
/** Milliseconds under load, before and after. */
const LOAD_FOR = [200, 800] as const
/** PgBouncer alone lets a quarter of a minute pass until it tries a server again that was not there. */
const READY_WITHIN = 60_000
const ENOUGH = 20

/**
 * Runs the service on PostgreSQL behind a PgBouncer that pools sessions, under load, and has one of the two go away
 * again and again. The service must survive it, answer nothing but what it promises and 503, and be ready afterwards.
 */
export const runPooler = async (order: PoolerOrder): Promise<PoolerResult> => {
  const server = await startPostgres(order.postgres)
  try {
    await using bouncer = await PgBouncer.start(server.url, { settings: order.pgbouncer ?? {} })
    await using scene = await Scene.set({
      store: 'postgres',
      server: server.url,
      through: (url) => bouncer.through(url),
    })
    const between = { bouncer, server, database: new URL(scene.store.url).pathname.slice(1) }
    return await new PoolerTrial(scene, between, order).run()
  } finally {
    await server.stop()
  }
}

class PoolerTrial {
  readonly #scene: Scene
  readonly #between: Between
  readonly #order: PoolerOrder
  readonly #random: Random
  readonly #course: Course
  readonly #times = new Map<Trouble, { acknowledged: number; refused: number; ready: number[] }>()

  constructor(scene: Scene, between: Between, order: PoolerOrder) {
    this.#scene = scene
    this.#between = between
    this.#order = order
    this.#random = new Random(order.seed)
    this.#course = new Course(scene, this.#random, order.rate ?? RATE)
  }

  async run(): Promise<PoolerResult> {
    const { troubles, progress } = this.#order
    const program = this.#order.program ?? fromSource()
    const service = await this.#course.begin(program)
    let waiting: Trouble[] = []
    for (let done = 1; done <= troubles && service && this.#goesOn(service); done++) {
      if (waiting.length === 0) waiting = [...TROUBLES]
      const trouble = this.#random.pick(waiting)
      waiting = waiting.filter((other) => other !== trouble)
      await this.#meet(trouble, service)
      await this.#scene.store.idle()
      await this.#course.examine(program, false)
      progress?.(done, this.#course.findings)
    }
    if (service && this.#goesOn(service)) await this.#course.end(program, service)
    return { findings: this.#course.findings, figures: this.#course.figures, results: this.#results }
  }

  #goesOn(service: Service): boolean {
    return service.isRunning && this.#course.findings.length < ENOUGH
  }

  async #meet(trouble: Trouble, service: Service): Promise<void> {
    const { ledger } = this.#scene
    const known = this.#times.get(trouble) ?? { acknowledged: 0, refused: 0, ready: [] }
    this.#times.set(trouble, known)
    const [acknowledged, unanswered] = [ledger.acknowledged, ledger.unanswered]
    await this.#course.whileServing(async () => {
      await sleep(this.#random.between(...LOAD_FOR))
      await trouble.happen(this.#between)
      const ready = await this.#ready(service)
      if (!service.isRunning) ledger.report('I7', `${trouble.name}: the service ended by itself. ${service.stderr}`)
      else if (ready === undefined) ledger.report('I7', `${trouble.name}: not ready within ${READY_WITHIN} ms`)
      else known.ready.push(ready)
      await sleep(this.#random.between(...LOAD_FOR))
    })
    known.acknowledged += ledger.acknowledged - acknowledged
    known.refused += ledger.unanswered - unanswered
  }

  /** In how many milliseconds; undefined where it does not get there. */
  async #ready(service: Service): Promise<number | undefined> {
    const began = performance.now()
    while (service.isRunning && performance.now() - began < READY_WITHIN) {
      if ((await this.#scene.client.get('/readyz'))?.status === 200) return performance.now() - began
      await sleep(20)
    }
    return undefined
  }

  get #results(): TroubleResult[] {
    return [...this.#times].map(([{ name }, { acknowledged, refused, ready }]) => ({
      trouble: name,
      times: ready.length,
      acknowledged,
      refused,
      ready: readiness(ready),
    }))
  }
}
