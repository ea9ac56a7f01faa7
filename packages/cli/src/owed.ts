import {
  type Caller,
  cursorOf,
  type OutboxEntry,
  type Page,
  type PageRequest,
  type WebhookDelivery,
} from '@rollcall/core'
import type { CliUseCases } from './cli-host.ts'

/** A mail that is owed to somebody, or an event that is owed to a target. */
export type Owed = { readonly mail: OutboxEntry } | { readonly event: WebhookDelivery }

export interface OwedRequest extends PageRequest {
  readonly parked: boolean | undefined
}

/** A place in the one list of two: even among the mails, odd among the events behind them. */
const OF_EVENTS = 1

/** What is owed: mails first, then events, each oldest first. */
export const listOwed = async (
  useCases: Pick<CliUseCases, 'listOutbox' | 'listUndeliveredEvents'>,
  { cursor, limit, parked }: OwedRequest,
  caller: Caller,
): Promise<Page<Owed>> => {
  const place = cursor === undefined ? 0 : Number(cursor)
  const most = Number(limit)
  const events = async (after: number, count: number): Promise<Page<Owed>> => {
    const page = await useCases.listUndeliveredEvents.execute({ parked, cursor: cursorOf(after), limit: count }, caller)
    return { items: page.items.map((event) => ({ event })), next: page.next && page.next * 2 + OF_EVENTS }
  }
  if (place % 2 === OF_EVENTS) return await events((place - OF_EVENTS) / 2, most)
  // What is no cursor at all is refused there.
  const from = Number.isNaN(place) ? cursor : cursorOf(place / 2)
  const mails = await useCases.listOutbox.execute({ parked, cursor: from, limit: most }, caller)
  const items = mails.items.map((mail): Owed => ({ mail }))
  if (mails.next !== undefined) return { items, next: mails.next * 2 }
  const left = most - items.length
  const rest = await events(0, Math.max(left, 1))
  return left > 0
    ? { items: [...items, ...rest.items], next: rest.next }
    : { items, next: rest.items.length > 0 ? OF_EVENTS : undefined }
}
