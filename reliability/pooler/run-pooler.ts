import { setTimeout as sleep } from 'node:timers/promises'
import { PgBouncer } from '../../packages/storage-sql/test/postgres-server/pgbouncer.ts'
import { type PostgresServer, startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import type { SourceChange } from '../fault-injection/source-change.ts'
import type { Finding } from '../finding.ts'
import { Random } from '../random.ts'
import { Fixture } from '../run/fixture.ts'
import { type Figures, readiness, Scenario } from '../run/scenario.ts'
import type { Program, Service } from '../service/service.ts'

/** The pooler and the server behind the service. */
export interface Between {
  readonly bouncer: PgBouncer
  readonly server: PostgresServer
  readonly database: string
}

/** An outage between the service and its database; when it resolves, both work again. */
interface Trouble {
  readonly name: string
  readonly happen: (between: Between) => Promise<void>
}

export const TROUBLES: readonly Trouble[] = [
  {
    name: 'the pooler is killed',
    happen: async ({ bouncer }) => {
      await bouncer.kill()
      await bouncer.start()
    },
  },
  {
    name: 'the pooler is shut down at once',
    happen: async ({ bouncer }) => {
      await bouncer.shutDown()
      await bouncer.start()
    },
  },
  {
    name: 'the pooler cuts off every client',
    happen: async ({ bouncer, database }) => {
      await bouncer.command(`KILL ${database}`)
      await bouncer.command(`RESUME ${database}`)
    },
  },
  { name: 'the pooler reconnects', happen: ({ bouncer }) => bouncer.command('RECONNECT') },
  {
    name: 'the server is shut down at once',
    happen: async ({ server }) => {
      await server.crash()
      await server.start()
    },
  },
]

interface PoolerOrder {
  /** How many in all; every kind once in each round, in random order. */
  readonly troubles: number
  readonly seed: number
  /** Changes to the source of the service, which is run from its source then. */
  readonly changes?: readonly SourceChange[] | undefined
  /** What is run instead of the source. */
  readonly program?: Program | undefined
  /** Requests a second. */
  readonly rate?: number | undefined
  /** Of the PostgreSQL server, as in postgresql.conf. */
  readonly postgres?: Readonly<Record<string, string>> | undefined
  /** As in pgbouncer.ini. */
  readonly pgbouncer?: Readonly<Record<string, string>> | undefined
  /** Called after each of them. */
  readonly progress?: ((done: number, findings: readonly Finding[]) => void) | undefined
}

export interface TroubleResult {
  readonly trouble: string
  readonly times: number
  readonly acknowledged: number
  /** Requests that were answered 503, or not at all. */
  readonly refused: number
  /** Milliseconds from the end of the outage until the service was ready. */
  readonly ready: Figures['ready']
}

interface PoolerResult {
  readonly findings: readonly Finding[]
  readonly figures: Figures
  readonly results: readonly TroubleResult[]
}

const RATE = 200
/** Milliseconds under load, before and after. */
const LOAD_FOR = [200, 800] as const
/** PgBouncer waits 15 seconds before it tries a lost server again. */
const READY_WITHIN = 60_000
const ENOUGH = 20

/**
 * Runs the service under load on PostgreSQL behind a PgBouncer that pools sessions, and makes one of the two go away
 * again and again. The service must survive, answer only what it promises or 503, and become ready again.
 */
export const runPooler = async (order: PoolerOrder): Promise<PoolerResult> => {
  const server = await startPostgres(order.postgres)
  try {
    await using bouncer = await PgBouncer.start(server.url, { settings: order.pgbouncer ?? {} })
    await using fixture = await Fixture.create({
      program: order.program,
      injection: order.changes && { changes: order.changes },
      store: 'postgres',
      server: server.url,
      through: (url) => bouncer.through(url),
    })
    const between = { bouncer, server, database: new URL(fixture.store.url).pathname.slice(1) }
    return await new PoolerRun(fixture, between, order).run()
  } finally {
    await server.stop()
  }
}

class PoolerRun {
  readonly #fixture: Fixture
  readonly #between: Between
  readonly #order: PoolerOrder
  readonly #random: Random
  readonly #scenario: Scenario
  readonly #times = new Map<Trouble, { acknowledged: number; refused: number; ready: number[] }>()

  constructor(fixture: Fixture, between: Between, order: PoolerOrder) {
    this.#fixture = fixture
    this.#between = between
    this.#order = order
    this.#random = new Random(order.seed)
    this.#scenario = new Scenario(fixture, this.#random, order.rate ?? RATE)
  }

  async run(): Promise<PoolerResult> {
    const { troubles, progress } = this.#order
    const service = await this.#scenario.begin()
    let waiting: Trouble[] = []
    for (let done = 1; done <= troubles && service && this.#goesOn(service); done++) {
      if (waiting.length === 0) waiting = [...TROUBLES]
      const trouble = this.#random.pick(waiting)
      waiting = waiting.filter((other) => other !== trouble)
      await this.#meet(trouble, service)
      await this.#fixture.store.idle()
      await this.#scenario.examine(false)
      progress?.(done, this.#scenario.findings)
    }
    if (service && this.#goesOn(service)) await this.#scenario.end(service)
    return { findings: this.#scenario.findings, figures: this.#scenario.figures, results: this.#results }
  }

  #goesOn(service: Service): boolean {
    return service.isRunning && this.#scenario.findings.length < ENOUGH
  }

  async #meet(trouble: Trouble, service: Service): Promise<void> {
    const { ledger } = this.#fixture
    const known = this.#times.get(trouble) ?? { acknowledged: 0, refused: 0, ready: [] }
    this.#times.set(trouble, known)
    const [acknowledged, unanswered] = [ledger.acknowledged, ledger.unanswered]
    await this.#scenario.whileServing(async () => {
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

  /** Milliseconds until it is ready; undefined where it does not become ready. */
  async #ready(service: Service): Promise<number | undefined> {
    const began = performance.now()
    while (service.isRunning && performance.now() - began < READY_WITHIN) {
      if ((await this.#fixture.client.get('/readyz'))?.status === 200) return performance.now() - began
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
