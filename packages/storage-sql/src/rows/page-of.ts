import type { Page } from '@rollcall/core'

/** The page that begins these rows, which are one more than the limit where the list goes on after it. */
export const pageOf = <Row extends readonly [position: number, ...unknown[]], Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
): Page<Item> => {
  const shown = rows.length > limit ? rows.slice(0, limit) : rows
  return { items: shown.map(toItem), next: rows.length > limit ? shown.at(-1)?.[0] : undefined }
}
