import type { Caller, Page, PageRequest } from '@rollcall/core'
import { callerOf, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { type Fields, fieldsOfQuery } from '../reading/fields.ts'
import { list } from '../representations/list.ts'
import { sendRepresentation } from '../send.ts'

export interface ListStep<Command, Item> {
  /** What the query asks for. */
  readonly command: (query: Fields) => Command
  readonly page: (command: Command, caller: Caller) => Promise<Page<Item>>
  readonly record: (item: Item) => unknown
}

/** Gives a stretch of a list. Whoever may not see it was refused before. */
export const listStep =
  <Command, Item>({ now = Date.now }: HttpOptions, { command, page, record }: ListStep<Command, Item>): Step =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const asked = command(query)
    query.assertGood()
    const found = await page(asked, callerOf(ctx))
    sendRepresentation(ctx, { body: JSON.stringify(list(found, record)), audience: 'private', now: now() })
  }

/** How much of the list, and from where on. */
export const pagingOf = (query: Fields, cursor: 'cursor' | 'after' = 'cursor'): PageRequest => ({
  limit: query.text('limit'),
  cursor: query.text(cursor),
})
