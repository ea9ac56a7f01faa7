import {
  type Caller,
  cursorOf,
  type Page,
  type PageRequest,
  type SortedPage,
  type SortedPageRequest,
} from '@rollcall/core'
import { type Resource, tagOf } from '../conditional-request.ts'
import { callerOf, type Handler, pathParameter } from '../exchange.ts'
import type { HttpOptions, HttpUseCases } from '../http-options.ts'
import { type Fields, fieldsOfQuery } from '../reading/fields.ts'
import { sendRepresentation } from '../send.ts'

/** One of the use cases. Only a request selects it: the routes are also listed where there are no use cases. */
type Select<Command, Result> = (useCases: HttpUseCases) => {
  execute(command: Command, caller: Caller): Promise<Result>
}

/** Answers with the one record that a parameter of the path names. */
export const getHandler =
  <Name extends string, Item>(
    { useCases, now = Date.now }: HttpOptions,
    resource: Resource<Item>,
    select: Select<Record<Name, string>, Item>,
    name: Name,
  ): Handler =>
  async (ctx) => {
    const command = { [name]: pathParameter(ctx, name) } as Record<Name, string>
    const item = await select(useCases).execute(command, callerOf(ctx))
    const { record, lastModified } = resource
    const body = JSON.stringify(record(item))
    sendRepresentation(ctx, {
      body,
      entityTag: tagOf(resource, item),
      lastModified: lastModified?.(item),
      now: now(),
    })
  }

/** Answers with one page of a list. The route authorizes the caller before. */
export const listHandler =
  <Command, Item>(
    { useCases, now = Date.now }: HttpOptions,
    select: Select<Command, Page<Item>>,
    commandOf: (query: Fields) => Command,
    record: (item: Item) => unknown,
  ): Handler =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const command = commandOf(query)
    query.assertGood()
    const page = await select(useCases).execute(command, callerOf(ctx))
    sendRepresentation(ctx, { body: JSON.stringify(listRecord(page, record)), now: now() })
  }

export const listRecord = <Item>(page: Page<Item> | SortedPage<Item>, record: (item: Item) => unknown) => ({
  items: page.items.map(record),
  next: cursorOf(page.next) ?? null,
  ...('previous' in page && { previous: cursorOf(page.previous) ?? null }),
  ...(page.total !== undefined && { total: page.total }),
})

/** The page size, and where the page begins. */
export const pagingOf = (query: Fields): PageRequest => ({ limit: query.text('limit'), cursor: query.text('cursor') })

/** The same of a list that can be sorted. */
export const sortingOf = (query: Fields): SortedPageRequest => ({ ...pagingOf(query), sort: query.text('sort') })
