import { freePort } from '../../packages/app/test/free-port.ts'
import type { Row } from '../target/rows.ts'
import { Target } from '../target/target.ts'
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
    const url = await place.postgresUrl()
    const front = await freePort()
    const settings = { SHUTDOWN_DELAY: DELAY, TRUST_PROXY: '1' }
    await using run = await WorldRun.make(context, { server: () => url, front, settings })
    const { target: first } = run
    const same = { SMTP_URL: run.mails.url, DATABASE_URL: run.url, DATA_DIR: first.home.data, ...settings }
    await using second = await Target.make({ product: context.product }, same)
    await balanceRequests(place, front, [first.port, second.port])
    await run.start()
    await second.start()
    await run.under('two instances', () => run.calm(context.seconds))
    const instances = [first, second]
    const { failed } = await run.under('both are restarted in turn', async () => {
      await run.calm(0.5)
      for (const instance of instances) {
        await instance.stop()
        await instance.start()
        await run.calm(1)
      }
    })
    for (let kill = 0; kill < context.kills; kill++)
      await run.under('kill -9 of one instance', async () => {
        const instance = instances[kill % 2] ?? first
        await run.calm(0.5 + Math.random())
        await instance.stop('SIGKILL')
        await run.calm(1)
        await instance.start()
        await run.calm(1)
      })
    await second.stop()
    return [{ figure: 'requests that fail while both are restarted', found: failed, bound: 0 }, ...(await run.end())]
  },
}
