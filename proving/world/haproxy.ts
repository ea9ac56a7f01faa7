import { freePort } from '../../packages/app/test/free-port.ts'
import type { Row } from '../shared/report.ts'
import { balanceRequests } from './fronts.ts'
import { Place } from './place.ts'
import type { WorldScenario } from './scenarios.ts'
import { TOOLS } from './tools.ts'
import { WorldRun } from './world-run.ts'

/** More than twice the time between two looks of the balancer, as the documentation wants it. */
const DELAY = '1s'

export const haproxy: WorldScenario = {
  name: 'haproxy',
  about: 'two instances behind an HAProxy; they are restarted in turn, and killed',
  tools: [TOOLS.haproxy],
  run: async (context): Promise<readonly Row[]> => {
    using place = new Place()
    const front = await freePort()
    const settings = { SHUTDOWN_DELAY: DELAY, TRUST_PROXY: '1' }
    await using run = await WorldRun.make(context, { server: await place.postgresUrl(), front, settings })
    const { target: first } = run.fixture
    await using second = await first.beside()
    await balanceRequests(place, front, [first.port, second.port])
    await run.start()
    await second.start()
    await run.under('two instances', () => run.calm())
    const { refused } = await run.under('both are restarted in turn', async () => {
      await run.calm(0.5)
      for (const instance of [first, second]) {
        await instance.stop()
        await instance.start()
        await run.calm(1)
      }
    })
    for (let kill = 0; kill < context.times; kill++)
      for (const instance of [first, second])
        await run.under('kill -9 of one instance', async () => {
          await run.calm(0.5 + Math.random())
          await instance.stop('SIGKILL')
          run.fixture.noteDeath()
          await run.calm(1)
          await instance.start()
          await run.calm(1)
        })
    await second.stop()
    return [{ figure: 'requests that fail while both are restarted', found: refused, bound: 0 }, ...(await run.end())]
  },
}
