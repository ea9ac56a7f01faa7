import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../shared/finding.ts'
import { Fixture } from '../shared/fixture.ts'
import { Random } from '../shared/random.ts'
import { type Figures, readiness, Scenario } from '../shared/scenario.ts'
import type { Program, Service } from '../shared/service.ts'
import type { Setting, Trouble } from './troubles.ts'

interface FailOverOrder {
  readonly setting: Setting
  /** How many in all; every kind once in each round, in random order. */
  readonly troubles: number
  /** Only this one of them. */
  readonly only?: Trouble | undefined
  readonly seed: number
  /** What is run instead of the source. */
  readonly program?: Program | undefined
  /** Requests a second. */
  readonly rate?: number | undefined
  /** Whether mails that may have been delivered are waited for, which takes ten minutes. */
  readonly awaitsCopies?: boolean | undefined
  /** Called after each of them. */
  readonly progress?: ((done: number, findings: readonly Finding[]) => void) | undefined
}

interface TroubleResult {
  readonly trouble: string
  readonly times: number
  readonly acknowledged: number
  /** Requests that were answered 503, or not at all. */
  readonly refused: number
  /** Milliseconds from the end of the outage until the service was ready. */
  readonly ready: Figures['ready']
}

const RATE = 200
/** Milliseconds under load, before and after. */
const LOAD_FOR = [200, 800] as const
/** PgBouncer waits 15 seconds before it tries a lost server again. */
const READY_WITHIN = 60_000
const ENOUGH = 20

/**
 * Runs the service under load while what is between it and its data goes away, again and again. It must survive, answer
 * only what it promises or 503, become ready again, and have everything that it acknowledged.
 */
export const runFailOver = async (order: FailOverOrder) => {
  const { setting, troubles, program, progress } = order
  await using fixture = await Fixture.create({
    ...{ program, store: 'postgres', server: () => setting.url(), through: (url) => setting.through(url) },
  })
  const random = new Random(order.seed)
  const scenario = new Scenario(fixture, random, order.rate ?? RATE, { awaitsCopies: order.awaitsCopies ?? true })
  const database = new URL(fixture.store.url).pathname.slice(1)
  const times = new Map<Trouble, { acknowledged: number; refused: number; ready: number[] }>()
  const service = await scenario.begin()
  const goesOn = (): boolean => service?.isRunning === true && scenario.findings.length < ENOUGH
  let waiting: readonly Trouble[] = []
  for (let done = 1; done <= troubles && service && goesOn(); done++) {
    if (waiting.length === 0) waiting = order.only ? [order.only] : setting.troubles
    const trouble = random.pick(waiting)
    waiting = waiting.filter((other) => other !== trouble)
    const known = times.get(trouble) ?? { acknowledged: 0, refused: 0, ready: [] }
    times.set(trouble, known)
    const { ledger } = fixture
    const [acknowledged, unanswered] = [ledger.acknowledged, ledger.unanswered]
    await scenario.whileServing(async () => {
      await sleep(random.between(...LOAD_FOR))
      await trouble.happen(database)
      const ready = await readyAgain(fixture, service)
      if (!service.isRunning) ledger.report('I7', `${trouble.name}: the service ended by itself. ${service.stderr}`)
      else if (ready === undefined) ledger.report('I7', `${trouble.name}: not ready within ${READY_WITHIN} ms`)
      else known.ready.push(ready)
      await sleep(random.between(...LOAD_FOR))
    })
    known.acknowledged += ledger.acknowledged - acknowledged
    known.refused += ledger.unanswered - unanswered
    await fixture.store.idle()
    await scenario.examine(false)
    progress?.(done, scenario.findings)
  }
  if (service && goesOn()) await scenario.end(service)
  const results = [...times].map(
    ([{ name }, { ready, ...counts }]): TroubleResult => ({
      trouble: name,
      times: ready.length,
      ...counts,
      ready: readiness(ready),
    }),
  )
  return { findings: scenario.findings, figures: scenario.figures, results }
}

/** Milliseconds until it is ready; undefined if it does not become ready. */
const readyAgain = async ({ client }: Fixture, service: Service): Promise<number | undefined> => {
  const began = performance.now()
  while (service.isRunning && performance.now() - began < READY_WITHIN) {
    if ((await client.get('/readyz'))?.status === 200) return performance.now() - began
    await sleep(20)
  }
  return undefined
}
