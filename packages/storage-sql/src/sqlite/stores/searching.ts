import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Page } from '@rollcall/core'
import { type CountsOf, countOfTerms, type Search, searching } from '../../tables/finding.ts'
import type { Methods } from '../../tables/methods.ts'
import { asynchronous, type Invoke } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import { sqliteReader } from './run-methods.ts'

/** Places: some milliseconds' look. */
const STRETCH = 4_000

/**
 * A list in which words are looked for. If all of it is gone through, that is done stretch by stretch: other requests
 * are served between two of them.
 */
export const searchingOn = <Filter extends Search, Item>(
  connection: Connection,
  invoke: Invoke,
  { table, rows }: { readonly table: string; readonly rows: Methods<CountsOf<Filter>>['rows'] },
  list: (filter: Filter & Search) => Promise<Page<Item>>,
): ((filter: Filter) => Promise<Page<Item>>) => {
  const counts = asynchronous(sqliteReader<CountsOf<Filter>>({ terms: countOfTerms(table), rows }, connection), invoke)
  const newest = connection.prepare<[], number>(`SELECT coalesce(max(seq), 0) FROM ${table}`).pluck()
  const walk = async (filter: Filter & Search): Promise<Page<Item>> => {
    const { after, limit, downwards } = filter
    const last = (await invoke(() => newest.get())) ?? 0
    const step = downwards ? -STRETCH : STRETCH
    let found: readonly Item[] = []
    let end: number | undefined
    for (let from = Math.min(after, last + 1); downwards ? from > 1 : from < last; from += step) {
      if (from !== after) await nextTurn()
      const isFull = found.length === limit
      const most = isFull ? 1 : limit - found.length
      const { items, next } = await list({ ...filter, after: from, until: from + step, limit: most })
      // Behind the end of a full page, all that is asked is whether the list goes on.
      if (isFull && items.length > 0) return { items: found, next: end }
      found = [...found, ...items]
      if (next !== undefined) return { items: found, next }
      if (found.length === limit) end ??= from + step
    }
    return { items: found, next: undefined }
  }
  return searching(list, counts, walk)
}
