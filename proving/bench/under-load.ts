import { setTimeout as sleep } from 'node:timers/promises'
import { busy, denied, peak, resident } from '../shared/processes.ts'
import type { DatabaseServer } from './database-server.ts'
import { type Answers, load, type Traffic } from './load.ts'
import type { Receiver } from './receivers.ts'
import type { Server } from './server.ts'
import type { Figures, Setting } from './setting.ts'

const SETTLING = 500
const POLL = 50
/** Milliseconds without another mail after which none is on its way, once there is one for each answer. */
const QUIET = 300
const PATIENCE = 300_000
/** Of a stock that cannot last: what the warm-up may use of it, and what may be gone after the load that is measured. */
const [WARM, MEASURED] = [0.2, 0.8]

interface LoadOn {
  /** The figures are those of the first. */
  readonly servers: readonly [Server, ...Server[]]
  readonly traffic: Traffic
  readonly connections: number
  /** Where a mail arrives for each answer; without one the work is done with the answer. */
  readonly relay?: Receiver | undefined
  /** Whose processor time is counted, too. */
  readonly database?: DatabaseServer | undefined
}

export interface Measured {
  readonly figures: Figures
  readonly acknowledged: readonly number[]
  readonly next: number
}

const now = (): number => performance.timeOrigin + performance.now()

/** A warm-up, and then the load that is measured; to the last mail, if there are mails. */
export const underLoad = async (setting: Setting, order: LoadOn): Promise<Measured> => {
  const { servers, traffic, connections, relay, database } = order
  const urls = servers.map(({ url }) => url)
  const [{ pid, readyIn }] = servers
  const stock = typeof traffic.names === 'function' ? Number.POSITIVE_INFINITY : traffic.names.length
  const phase = async (first: number, seconds: number, share: number): Promise<Answers> =>
    await load({ urls, traffic, connections, seconds, first, last: Math.floor(stock * share) }).answers
  await sleep(SETTLING)
  const idle = resident(pid)
  const warm = await phase(0, setting.warmup, WARM)
  if (relay !== undefined) await mailsOut(relay, warm.acknowledged.length)
  const [before, databaseBefore, waited, began] = [busy(pid), database?.busy ?? 0, denied(pid), now()]
  const measured = await phase(warm.next, setting.seconds, MEASURED)
  const acknowledged = [...warm.acknowledged, ...measured.acknowledged]
  const count = measured.acknowledged.length
  const mailedAt = relay === undefined ? undefined : await mailsOut(relay, acknowledged.length)
  const figures = {
    'answers/s': count / measured.seconds,
    ...(mailedAt === undefined ? {} : { 'mailed/s': (count * 1_000) / (mailedAt - began) }),
    ...{ 'p50 ms': measured.percentile(0.5), 'p99 ms': measured.percentile(0.99) },
    'CPU µs': ((busy(pid) - before) * 1e6) / count,
    ...(database === undefined ? {} : { 'of the database': ((database.busy - databaseBefore) * 1e6) / count }),
    'denied %': ((denied(pid) - waited) * 100_000) / (now() - began),
    ...{ 'MB idle': idle, 'MB peak': peak(pid), 'start ms': readyIn },
  }
  return { figures, acknowledged, next: measured.next }
}

/** Resolves when as many mails have come and no more follow, to when the last came, in milliseconds since 1970. */
const mailsOut = async (relay: Receiver, due: number): Promise<number> => {
  const end = now() + PATIENCE
  for (;;) {
    const { count, lastAt } = await relay.look()
    if (count >= due && now() - lastAt > QUIET) return lastAt
    if (now() > end) throw new Error(`${count} of ${due} mails came in five minutes`)
    await sleep(POLL)
  }
}
