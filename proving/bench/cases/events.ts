import { setTimeout as sleep } from 'node:timers/promises'
import { busy } from '../../shared/processes.ts'
import { load } from '../load.ts'
import { openReceiver } from '../receivers.ts'
import { CONNECTIONS } from '../setting.ts'
import { Site } from '../site.ts'
import type { BenchCase } from './bench-case.ts'
import { puts } from './users.ts'

const DELAY = 100
/** Events of each second of load. */
const EVENTS = 200
const POLL = 100
const PATIENCE = 300_000

export const events: BenchCase = {
  name: 'events',
  about: 'events of users that were put, delivered to a target that answers after 100 ms',
  bars: ['events/s >= 20'],
  prepare: async (product, setting) => {
    const origin = await Site.make(product, setting)
    const traffic = puts(await origin.authorization('admin'))
    return async () => {
      await using site = await origin.copy()
      await using target = await openReceiver({ kind: 'target', delay: DELAY })
      await site.command('webhook', 'put', 'bench', '--url', `http://${target.address}/`)
      await using server = await site.start()
      const { seconds } = setting
      const asked = { urls: [server.url], traffic, connections: CONNECTIONS, seconds, first: 0, last: EVENTS * seconds }
      const due = (await load(asked).answers).acknowledged.length
      const end = performance.now() + PATIENCE
      for (;;) {
        const { count, firstAt, lastAt } = await target.look()
        const missing = due - count
        if (missing > 0 && performance.now() < end) await sleep(POLL)
        else
          return {
            ...{ 'events/s': (count * 1_000) / (lastAt - firstAt), 'CPU µs': (busy(server.pid) * 1e6) / due },
            '!missing': Math.max(0, missing),
          }
      }
    }
  },
}
