import { cp, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Cores } from '../command.ts'
import { rollcall } from '../rollcall/rollcall.ts'
import { Server } from '../server.ts'
import type { Grown } from './grow.ts'
import type { Size } from './growth-cases.ts'
import { type ListPages, timeListPages } from './list-pages.ts'

/** Milliseconds, at one size, over all repetitions. */
export interface ListFigures {
  readonly rows: number
  readonly filter: string
  readonly p50: number
  readonly p99: number
  /** Of the last page; the others are of first and last alike. */
  readonly lastP50: number
}

export const measureLists = async (order: {
  rows: Readonly<Record<Size, number>>
  grown: (size: Size) => Promise<Grown>
  reps: number
  scratch: string
  cores: Cores
}): Promise<ListFigures[]> => {
  const found = { small: [] as ListPages[], large: [] as ListPages[] }
  for (let repetition = 0; repetition < order.reps; repetition++)
    for (const size of ['small', 'large'] as const) {
      const folder = path.join(order.scratch, `lists-${size}-${repetition}`)
      const { folder: template, token } = await order.grown(size)
      await cp(template, folder, { recursive: true })
      {
        await using server = await Server.start({ ...(await rollcall(folder, {})), core: order.cores.server })
        found[size].push(...(await timeListPages(server.url, token, order.rows[size])))
      }
      await rm(folder, { recursive: true })
    }
  return (['small', 'large'] as const).flatMap((size) => figuresOf(order.rows[size], found[size]))
}

const figuresOf = (rows: number, pages: readonly ListPages[]): ListFigures[] =>
  [...Map.groupBy(pages, ({ filter }) => filter)].map(([filter, all]) => {
    const last = all.flatMap((page) => page.last)
    const both = [...all.flatMap((page) => page.first), ...last]
    return { rows, filter, p50: percentile(both, 50), p99: percentile(both, 99), lastP50: percentile(last, 50) }
  })

const percentile = (values: readonly number[], percent: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}
