import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Cores, run } from '../command.ts'
import type { Options } from '../options.ts'
import { command } from '../rollcall/rollcall.ts'
import { percentile, type Spread, spread } from '../statistics.ts'
import { distinct } from '../traffic.ts'
import { type Crowding, measureCrowding } from './measure-crowding.ts'
import { type Drain, measureDrain } from './measure-drain.ts'
import { measurePromptness } from './measure-promptness.ts'
import { openSink } from './sink.ts'

const BACKLOG = 100_000
const FLOOR = path.join(import.meta.dirname, '../floors/pooled-nodemailer.ts')

/** The cost of mails, and their effect on requests. */
export interface MailFigures {
  readonly backlog: number
  /** Mails a second, of nodemailer's own pool with nothing around it. */
  readonly bare: readonly number[]
  readonly drains: readonly Drain[]
  /** Milliseconds from a commit to its mail, all repetitions together. */
  readonly promptness: readonly number[]
  readonly alone: readonly Crowding[]
  readonly crowded: readonly Crowding[]
}

/** One measurement, in a folder that does not exist yet. */
export interface MailOrder {
  /** A data folder with the backlog in it. */
  readonly template: string
  readonly backlog: number
  readonly seconds: number
  readonly folder: string
  readonly options: Options
  readonly cores: Cores
}

/** @throws {Error} a mail was lost, or sent twice */
export const measureMails = async (settings: {
  options: Options
  scratch: string
  cores: Cores
}): Promise<MailFigures> => {
  const { options, scratch, cores } = settings
  const template = path.join(scratch, 'backlog')
  await makeBacklog(template, BACKLOG)
  const figures = {
    backlog: BACKLOG,
    bare: [] as number[],
    drains: [] as Drain[],
    promptness: [] as number[],
    alone: [] as Crowding[],
    crowded: [] as Crowding[],
  }
  const order = { template, backlog: BACKLOG, seconds: options.seconds, options, cores }
  for (let repetition = 1; repetition <= options.reps; repetition++) {
    const own = { ...order, folder: path.join(scratch, `mails-${repetition}`) }
    figures.bare.push(await bareRate(own))
    figures.drains.push(await measureDrain(own))
    figures.promptness.push(...(await measurePromptness(own)))
    figures.alone.push(await measureCrowding(own, false))
    figures.crowded.push(await measureCrowding(own, true))
  }
  await rm(template, { recursive: true })
  return figures
}

const bareRate = async ({ seconds, cores }: MailOrder): Promise<number> => {
  await using sink = await openSink('keep', cores.load)
  return Number(await run(process.execPath, [FLOOR, sink.url, `${seconds}`], cores.server))
}

/** The median and the 99th percentile. */
export const percentiles = (values: readonly number[]): Spread & { readonly p99: number } => {
  return { ...spread(values), p99: percentile(values, 99) }
}

/** Makes a data folder with so many mails in the outbox, none of them tried. */
const makeBacklog = async (folder: string, mails: number): Promise<void> => {
  await mkdir(folder)
  await command(folder, 'migrate')
  const file = path.join(folder, 'owed.ndjson')
  await pipeline(Readable.from(rows(mails)), createWriteStream(file))
  await command(folder, 'subscription', 'import', file, '--mail', 'send')
  await rm(file)
}

function* rows(count: number): Generator<string> {
  for (let number = 0; number < count; number++) yield `{"email":"owed.${distinct(number)}@example.com"}\n`
}
