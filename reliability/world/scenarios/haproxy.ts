import { freePort } from '../../../packages/app/test/free-port.ts'
import type { CheckReport } from '../../../proving/shared/report.ts'
import type { Home, Service } from '../../../proving/shared/service.ts'
import { balanceRequests } from '../pieces/haproxy.ts'
import { Place } from '../pieces/place.ts'
import { postgresIn } from '../pieces/postgres.ts'
import { TOOLS } from '../pieces/tools.ts'
import { WorldRun } from '../world-run.ts'
import { replayOf, type WorldContext, type WorldScenario } from '../world-scenario.ts'

/** Milliseconds. */
const READY_WITHIN = 60_000
/** More than twice the time between two looks of the balancer, as the documentation wants it. */
const DELAY = '1s'

export const haproxy: WorldScenario = {
  name: 'haproxy',
  about: 'two instances behind an HAProxy; they are restarted in turn, and killed',
  tools: [TOOLS.haproxy],
  run: async (context) => {
    using place = new Place()
    return [await behindHaproxy(context, place, (await postgresIn(place)).url)]
  },
}

const behindHaproxy = async (context: WorldContext, place: Place, server: string): Promise<CheckReport> => {
  const front = await freePort()
  const settings = { SHUTDOWN_DELAY: DELAY, TRUST_PROXY: '1' }
  await using run = await WorldRun.create(context, { server, front, settings })
  const { fixture } = run
  await using second = await fixture.home.beside()
  await balanceRequests(place, { port: front, behind: [fixture.home.port, second.port] })
  const instances = new Instances(run, [fixture.home, second])
  try {
    await instances.start()
    await run.under('two instances', () => run.calm(context.seconds))
    await restartInTurn(run, instances)
    for (let kill = 0; kill < context.kills && !run.hasEnough; kill++)
      await run.under('kill -9 of one instance', async () => {
        await run.calm(run.random.between(0.5, 1.5))
        await instances.kill(kill % 2)
        await run.calm(1)
        await instances.begin(kill % 2)
        await run.calm(1)
      })
    await run.end(await instances.only())
  } finally {
    await instances.killAll()
  }
  return {
    name: 'two instances behind HAProxy',
    store: 'postgres',
    replay: replayOf('haproxy', context, `--seconds ${context.seconds} --kills ${context.kills}`),
    findings: run.findings,
    rows: run.rows,
  }
}

const restartInTurn = async (run: WorldRun, instances: Instances): Promise<void> => {
  const { counts } = await run.under('both are restarted in turn', async () => {
    await run.calm(0.5)
    for (const which of [0, 1]) {
      await instances.restart(which)
      await run.calm(1)
    }
  })
  const failed = counts.refused + counts.cutOff + counts.faults
  if (failed > 0) run.report('W5', `${counts.refused} requests were refused and ${counts.cutOff} cut off`)
}

/** Two instances of the service, on one database and data folder. */
class Instances {
  readonly #run: WorldRun
  readonly #homes: readonly Home[]
  readonly #running: Service[] = []

  constructor(run: WorldRun, homes: readonly Home[]) {
    this.#run = run
    this.#homes = homes
  }

  async start(): Promise<void> {
    this.#running[0] = await this.#run.start()
    await this.begin(1)
  }

  async begin(which: number): Promise<void> {
    const service = this.#run.fixture.beginIn(this.#home(which), 'serve')
    this.#running[which] = service
    if (!(await service.comesTo(200, READY_WITHIN)))
      this.#run.report('I7', `instance ${which + 1} was not ready. ${service.stderr}`)
  }

  async restart(which: number): Promise<void> {
    const service = this.#service(which)
    service.signal('SIGTERM')
    const { code, signal } = await service.ended
    if (code !== 0) this.#run.report('I7', `SIGTERM ended it with ${signal ?? code}. ${service.stderr}`)
    await this.begin(which)
  }

  async kill(which: number): Promise<void> {
    const { ledger, relay } = this.#run.fixture
    await this.#service(which).kill()
    ledger.died()
    relay.processNumber++
  }

  /** The first one, after the second has ended by SIGTERM. */
  async only(): Promise<Service> {
    this.#service(1).signal('SIGTERM')
    await this.#service(1).ended
    return this.#service(0)
  }

  async killAll(): Promise<void> {
    for (const service of this.#running) if (service.isRunning) await service.kill()
  }

  #home(which: number): Home {
    return this.#homes[which] ?? this.#run.fixture.home
  }

  #service(which: number): Service {
    const service = this.#running[which]
    if (service === undefined) throw new RangeError(`instance ${which + 1} was not started`)
    return service
  }
}
