import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { command, issueToken } from '../rollcall/rollcall.ts'
import { FEEDS, population, RARE_FEED } from './population.ts'

/** A data folder that has grown, and a token of an administrator's that is good in it. */
export interface Grown {
  readonly folder: string
  readonly token: string
}

/** Fills a data folder as an operator would: on the command line, from a file. */
export const grow = async (folder: string, rows: number): Promise<Grown> => {
  await mkdir(folder)
  await command(folder, 'migrate')
  for (const feed of [...FEEDS, RARE_FEED]) await command(folder, 'feed', 'put', feed)
  const file = path.join(folder, 'population.ndjson')
  await pipeline(Readable.from(population(rows)), createWriteStream(file))
  await command(folder, 'subscription', 'import', file)
  await rm(file)
  return { folder, token: await issueToken(folder, 'bench-admin', 'admin') }
}
