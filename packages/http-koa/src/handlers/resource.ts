import { type Caller, cursorOf, type Page, type PageRequest, type Precondition } from '@rollcall/core'
import { preconditionOf } from '../conditional/conditional-request.ts'
import { entityTagOf } from '../conditional/entity-tag.ts'
import { callerOf, type Handler, type RouteContext } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { type Fields, fieldsOfQuery } from '../reading/fields.ts'
import { sendRepresentation } from '../send.ts'

/** How records of one kind are shown, and what identifies a state of a record. */
export interface Resource<Item> {
  readonly record: (item: Item) => unknown
  /** In milliseconds. Absent where a record may change while all its times stay the same. */
  readonly lastModified?: (item: Item) => number
}

/** Answers with the one record that `find` returns. */
export const getHandler =
  <Item>(
    { now = Date.now }: HttpOptions,
    { record, lastModified }: Resource<Item>,
    find: (ctx: RouteContext) => Promise<Item>,
  ): Handler =>
  async (ctx) => {
    const item = await find(ctx)
    const body = JSON.stringify(record(item))
    sendRepresentation(ctx, { body, audience: 'private', lastModified: lastModified?.(item), now: now() })
  }

export interface Listing<Command, Item> {
  /** What the query asks for. */
  readonly command: (query: Fields) => Command
  readonly page: (command: Command, caller: Caller) => Promise<Page<Item>>
  readonly record: (item: Item) => unknown
}

/** Answers with one page of a list. The route authorizes the caller before. */
export const listHandler =
  <Command, Item>({ now = Date.now }: HttpOptions, { command, page, record }: Listing<Command, Item>): Handler =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const asked = command(query)
    query.assertGood()
    const found = await page(asked, callerOf(ctx))
    sendRepresentation(ctx, { body: JSON.stringify(listRecord(found, record)), audience: 'private', now: now() })
  }

export const listRecord = <Item>(page: Page<Item>, record: (item: Item) => unknown) => ({
  items: page.items.map(record),
  next: cursorOf(page.next) ?? null,
})

/** The page size, and where the page begins. */
export const pagingOf = (query: Fields, cursor: 'cursor' | 'after' = 'cursor'): PageRequest => ({
  limit: query.text('limit'),
  cursor: query.text(cursor),
})

/**
 * What must hold before the record is changed: the request's preconditions, then its own fields. 412 comes before 422,
 * and the core checks neither before it has looked the record up.
 */
export const preconditionOn = <Item>(
  { record, lastModified }: Resource<Item>,
  { headers }: RouteContext,
  fields: Fields,
): Precondition<Item> => {
  const holds = preconditionOf(headers, (current: Item) => ({
    entityTag: entityTagOf(JSON.stringify(record(current))),
    lastModified: lastModified?.(current),
  }))
  return (current) => {
    if (holds?.(current) === false) return false
    fields.assertGood()
    return true
  }
}
