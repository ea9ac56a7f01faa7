import { load } from '../load.ts'
import { mailsTo, openReceiver } from '../receivers.ts'
import type { Server } from '../server.ts'
import type { Figures, Turn } from '../setting.ts'
import type { Site } from '../site.ts'
import { signUps } from './sign-ups.ts'

const CONNECTIONS = 10
/** Sign-ups a second. */
const RATE = 100
const A_DAY = 86_400

/** Work beside a running service that takes a hundred sign-ups a second: what it finds, and what it does to them. */
export const besideSignUps =
  (origin: Site, work: (server: Server, site: Site) => Promise<Figures>): Turn =>
  async () => {
    await using site = await origin.copy()
    await using relay = await openReceiver({ kind: 'relay', readsLinks: false })
    await using server = await site.start(mailsTo(relay))
    const asked = { urls: [server.url], traffic: signUps, connections: CONNECTIONS, rate: RATE }
    const { seconds, warmup } = site.setting
    const warm = await load({ ...asked, seconds: warmup, first: 0 }).answers
    const alone = await load({ ...asked, seconds, first: warm.next }).answers
    const beside = load({ ...asked, seconds: A_DAY, first: alone.next })
    const figures = await work(server, site).finally(() => beside.stop())
    const { percentile } = await beside.answers
    return {
      ...figures,
      'p99 ms alone': alone.percentile(0.99),
      'p99 ms beside': percentile(0.99),
      'most ms': percentile(1),
    }
  }
