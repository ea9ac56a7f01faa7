import { cursorOf, type Page, type SortedPage } from '@rollcall/core'
import type { Resource } from '../conditional-request.ts'

/** The answer that shows a record. */
export const shown = <Item, Shown>(
  { record, state, lastModified, lastDifferent = lastModified }: Resource<Item, Shown>,
  item: Item,
) => ({
  status: 200 as const,
  body: record(item),
  ...(state && { state: state(item) }),
  lastModified: lastDifferent?.(item),
})

/** The answer that shows a page of a list. */
export const listed = <Item, Shown>(page: Page<Item>, record: (item: Item) => Shown) => ({
  status: 200 as const,
  body: { items: page.items.map(record), next: cursorOf(page.next) ?? null },
})

/** The same of a list that can be sorted. */
export const sortedListed = <Item, Shown>(page: SortedPage<Item>, record: (item: Item) => Shown) => ({
  status: 200 as const,
  body: {
    items: page.items.map(record),
    next: cursorOf(page.next) ?? null,
    previous: cursorOf(page.previous) ?? null,
    ...(page.total !== undefined && { total: page.total }),
  },
})

export const DONE = { status: 204 } as const

/** The answer that shows what was created, and says where it is. */
export const created = <Shown>(location: string, body: Shown) => ({ status: 201 as const, body, location })

export const result = <const Body>(body: Body) => ({ status: 200 as const, body })
