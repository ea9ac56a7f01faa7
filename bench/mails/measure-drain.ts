import { cp, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseIn, rollcall } from '../rollcall/rollcall.ts'
import { countRows } from '../rows.ts'
import { Server } from '../server.ts'
import type { MailOrder } from './measure-mails.ts'
import { openSink } from './sink.ts'

export interface Drain {
  /** Mails a second. */
  readonly rate: number
  /** Microseconds that the service kept a processor busy for each mail. */
  readonly cost: number
  /** The share of time in which the service was ready to run but something else had its core. */
  readonly denied: number
  /** Bytes. */
  readonly resident: number
}

/** Milliseconds until the service works at full speed. */
const SETTLING = 2_000
const POLL = 50

/**
 * How quickly an otherwise idle service sends a backlog.
 * @throws {Error} a mail was lost or sent twice
 */
export const measureDrain = async ({ template, backlog, seconds: most, folder, cores }: MailOrder): Promise<Drain> => {
  await cp(template, folder, { recursive: true })
  await using sink = await openSink('keep', cores.load)
  await using server = await Server.start({
    ...(await rollcall(folder, { SMTP_URL: sink.url })),
    core: cores.server,
  })
  const { result, most: resident } = await server.watch(async () => {
    await sleep(SETTLING)
    const [began, before, { taken: first }] = [performance.now(), server.processorTime, await sink.look()]
    let taken = first
    while (taken < backlog && performance.now() - began < most * 1_000) {
      await sleep(POLL)
      taken = (await sink.look()).taken
    }
    const count = taken - first
    const seconds = (performance.now() - began) / 1_000
    const { busy, denied } = server.processorTime
    return {
      rate: count / seconds,
      cost: ((busy - before.busy) * 1e6) / count,
      denied: (denied - before.denied) / seconds,
    }
  })
  await server.stop('SIGTERM')
  const { taken } = await sink.look()
  const left = countRows(databaseIn(folder), 'SELECT count(*) FROM outbox')
  if (taken + left !== backlog) throw new Error(`${taken} mails were taken, ${left} are left of ${backlog}`)
  await rm(folder, { recursive: true })
  return { ...result, resident }
}
