import {
  type Caller,
  cursorOf,
  type OutboxEntry,
  type Page,
  type PageRequest,
  type WebhookDelivery,
} from '@rollcall/core'
import type { CliUseCases } from './cli-host.ts'

/** A mail, or an event for a webhook, that is not delivered yet. */
export type Undelivered = { readonly mail: OutboxEntry } | { readonly event: WebhookDelivery }

export interface UndeliveredRequest extends PageRequest {
  readonly parked: boolean | undefined
}

/** A place in the one list of two: even among the mails, odd among the events after them. */
const OF_EVENTS = 1

/** Mails first, then events, each oldest first. */
export const listUndelivered = async (
  useCases: Pick<CliUseCases, 'listOutbox' | 'listUndeliveredEvents'>,
  { cursor, limit, parked }: UndeliveredRequest,
  caller: Caller,
): Promise<Page<Undelivered>> => {
  const place = cursor === undefined ? 0 : Number(cursor)
  const most = Number(limit)
  const events = async (after: number, count: number): Promise<Page<Undelivered>> => {
    const page = await useCases.listUndeliveredEvents.execute({ parked, cursor: cursorOf(after), limit: count }, caller)
    return { items: page.items.map((event) => ({ event })), next: page.next && page.next * 2 + OF_EVENTS }
  }
  if (place % 2 === OF_EVENTS) return await events((place - OF_EVENTS) / 2, most)
  // What is not a cursor is refused there.
  const from = Number.isNaN(place) ? cursor : cursorOf(place / 2)
  const mails = await useCases.listOutbox.execute({ parked, cursor: from, limit: most }, caller)
  const items = mails.items.map((mail): Undelivered => ({ mail }))
  if (mails.next !== undefined) return { items, next: mails.next * 2 }
  const left = most - items.length
  const rest = await events(0, Math.max(left, 1))
  return left > 0
    ? { items: [...items, ...rest.items], next: rest.next }
    : { items, next: rest.items.length > 0 ? OF_EVENTS : undefined }
}
