import { cp, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { run } from '../command.ts'
import { generate } from '../load.ts'
import { rollcall } from '../rollcall/rollcall.ts'
import { Server } from '../server.ts'
import { signUps } from '../traffic.ts'
import type { MailOrder } from './measure-mails.ts'
import { openSink, type Sink } from './sink.ts'

const STEADY = path.join(import.meta.dirname, 'steady-process.ts')
/** Requests a second; the service has most of its time for other work. */
const RATE = 200

interface Crowd {
  /** Milliseconds, the 99th of a hundred sign-ups. */
  readonly p99: number
  /** Mails a second meanwhile. */
  readonly mails: number
}

export interface Crowding {
  /** At full load. */
  readonly full: Crowd
  /** At a low, fixed rate. */
  readonly steady: Crowd
}

/** How long sign-ups take while mails are sent: their own alone, or a backlog as well. */
export const measureCrowding = async (order: MailOrder, hasBacklog: boolean): Promise<Crowding> => ({
  steady: await crowd(order, hasBacklog, async (url, seconds, part) => {
    const load = JSON.stringify({ url, rate: RATE, seconds, prefix: `steady.${part}` })
    return JSON.parse(await run(process.execPath, [STEADY, load], order.cores.load))
  }),
  full: await crowd(order, hasBacklog, async (url, seconds, part) => {
    const { connections, generator } = order.options
    const first = part * 10_000_000
    const load = { url, traffic: signUps, connections, seconds, first, core: order.cores.load }
    const report = await generate(generator, load)
    if (report.errors > 0) throw new Error(`${report.errors} requests were not answered`)
    return report
  }),
})

type Load = (url: string, seconds: number, part: number) => Promise<{ readonly p99: number }>

const crowd = async (order: MailOrder, hasBacklog: boolean, load: Load): Promise<Crowd> => {
  const { template, folder, cores, options } = order
  if (hasBacklog) await cp(template, folder, { recursive: true })
  else await mkdir(folder)
  await using sink = await openSink('keep', cores.load)
  await using server = await Server.start({
    ...(await rollcall(folder, { SMTP_URL: sink.url })),
    core: cores.server,
  })
  await load(server.url, options.warmup, 0)
  const before = await takenBy(sink)
  const { p99 } = await load(server.url, options.seconds, 1)
  const mails = ((await takenBy(sink)) - before) / options.seconds
  await server.stop('SIGKILL')
  await rm(folder, { recursive: true })
  return { p99, mails }
}

const takenBy = async (sink: Sink): Promise<number> => (await sink.look()).taken
