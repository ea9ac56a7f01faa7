import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FEEDS, population, RARE_FEED } from '../growth/population.ts'
import type { Options } from '../options.ts'
import { command, commandOrder, databaseIn } from '../rollcall/rollcall.ts'
import { countRows } from '../rows.ts'
import { runSampled, type Sampled } from '../run-sampled.ts'
import { type Spread, spread } from '../statistics.ts'

/** The cost of an import into an empty database, or of an export. */
export interface TransferFigures {
  readonly name: 'import' | 'export as NDJSON' | 'export as CSV'
  readonly rows: number
  /** Rows a second, from the start of the process to its end. */
  readonly rate: Spread
  /** Microseconds of a processor for each row. */
  readonly cost: Spread
  /** Bytes. */
  readonly resident: Spread
}

interface Order {
  readonly options: Options
  readonly scratch: string
}

/**
 * Nothing else runs meanwhile.
 * @throws {Error} a row was lost or duplicated
 */
export const measureTransfers = async ({ options, scratch }: Order): Promise<TransferFigures[]> => {
  const { rows, reps } = options
  const file = path.join(scratch, 'transfer.ndjson')
  await pipeline(Readable.from(population(rows)), createWriteStream(file))
  const found: Record<TransferFigures['name'], Sampled[]> = { import: [], 'export as NDJSON': [], 'export as CSV': [] }
  for (let repetition = 1; repetition <= reps; repetition++) {
    const folder = path.join(scratch, `transfer-${repetition}`)
    await mkdir(folder)
    await command(folder, 'migrate')
    for (const feed of [...FEEDS, RARE_FEED]) await command(folder, 'feed', 'put', feed)
    const run = (...args: string[]) => runSampled(commandOrder(folder, 'subscription', ...args))
    found.import.push(await run('import', file))
    requireAll(rows, countRows(databaseIn(folder), 'SELECT count(*) FROM subscription'))
    const ndjson = path.join(folder, 'export.ndjson')
    found['export as NDJSON'].push(await run('export', '--output', ndjson))
    requireAll(rows, await countLines(ndjson))
    const csv = path.join(folder, 'export.csv')
    found['export as CSV'].push(await run('export', '--format', 'csv', '--output', csv))
    requireAll(rows + 1, await countLines(csv))
    await rm(folder, { recursive: true })
  }
  await rm(file)
  return (Object.entries(found) as [TransferFigures['name'], Sampled[]][]).map(([name, runs]) => ({
    name,
    rows,
    rate: spread(runs.map(({ seconds }) => rows / seconds)),
    cost: spread(runs.map(({ busy }) => (busy * 1e6) / rows)),
    resident: spread(runs.map(({ resident }) => resident)),
  }))
}

const requireAll = (wanted: number, found: number): void => {
  if (wanted !== found) throw new Error(`${found} rows were found where there should be ${wanted}`)
}

const LF = 0x0a

const countLines = async (file: string): Promise<number> => {
  let lines = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) lines++
  }
  return lines
}
