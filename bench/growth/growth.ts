import { createWriteStream } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type BenchCase, outside } from '../cases/bench-case.ts'
import type { Cores } from '../command.ts'
import type { Options } from '../options.ts'
import { command, databaseIn, issueToken, rollcall } from '../rollcall/rollcall.ts'
import { countRows } from '../rows.ts'
import { signUps } from '../traffic.ts'
import { type ListFigures, measureLists } from './measure-lists.ts'
import { FEEDS, population, RARE_FEED } from './population.ts'

/** A filled data folder, and an administrator's token for it. */
export interface Grown {
  readonly folder: string
  readonly token: string
}

/** Fills a data folder by the import command. */
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

export type Size = 'small' | 'large'

/** Sign-ups beside few subscriptions, and beside many. */
const growthCases = (
  rows: Readonly<Record<Size, number>>,
  grown: (size: Size) => Promise<Grown>,
): readonly BenchCase[] =>
  (['small', 'large'] as const).map((size) => ({
    name: `growth-post-${size}`,
    title: `POST, Rollcall, beside ${rows[size].toLocaleString('en-US')} subscriptions`,
    status: 200,
    prepare: async () => {
      await grown(size)
    },
    run: async (folder) => {
      await cp((await grown(size)).folder, folder, { recursive: true })
      const database = databaseIn(folder)
      return {
        server: await rollcall(folder, {}),
        traffic: signUps,
        end: 'SIGKILL',
        disagreements: async (counts) =>
          outside('new subscriptions', countRows(database, 'SELECT count(*) FROM subscription') - rows[size], counts),
      }
    },
  }))

const FEW = 1_000

/** How sign-ups and lists depend on the number of subscriptions. */
export class Growth {
  readonly cases: readonly BenchCase[]
  readonly #order: { readonly options: Options; readonly scratch: string; readonly cores: Cores }
  readonly #rows: Readonly<Record<Size, number>>
  readonly #grown = new Map<Size, Promise<Grown>>()

  constructor(order: { options: Options; scratch: string; cores: Cores }) {
    this.#order = order
    this.#rows = { small: FEW, large: order.options.rows }
    this.cases = growthCases(this.#rows, (size) => this.#grow(size))
  }

  async measureLists(): Promise<ListFigures[]> {
    const { options, scratch, cores } = this.#order
    return await measureLists({
      rows: this.#rows,
      grown: (size) => this.#grow(size),
      reps: options.reps,
      scratch,
      cores,
    })
  }

  /** Once for each size; each measurement copies the folder. */
  #grow(size: Size): Promise<Grown> {
    const known = this.#grown.get(size) ?? grow(path.join(this.#order.scratch, `grown-${size}`), this.#rows[size])
    this.#grown.set(size, known)
    return known
  }
}
