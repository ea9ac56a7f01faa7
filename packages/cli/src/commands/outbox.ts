import {
  type Caller,
  cursorOf,
  type OutboxEntry,
  type Page,
  sortableCursorOf,
  type WebhookDelivery,
} from '@rollcall/core'
import { refusedError, usageError } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { type ListRequest, listVerb } from '../listing.ts'
import type { Session } from '../session.ts'
import { counted, instantText, shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'

/** A mail that is not delivered yet, with what it is in the list of both. */
const ofMail = (mail: OutboxEntry) => ({
  ...mail,
  subject: mail.subscriptionId,
  webhook: '',
  document: {
    id: mail.id,
    kind: mail.kind,
    subscription_id: mail.subscriptionId,
    message_id: mail.messageId,
    attempts: mail.attempts,
    last_error: mail.lastError ?? null,
    created_at: instantText(mail.createdAt),
    not_before: instantText(mail.notBefore),
    expires_at: instantText(mail.expiresAt),
    parked_at: instantText(mail.parkedAt),
  },
})

/** The same of an event for a webhook. */
const ofEvent = (delivery: WebhookDelivery) => ({
  ...delivery,
  id: `e${delivery.id}`,
  kind: delivery.event.type,
  subject: delivery.event.subject,
  document: {
    id: `e${delivery.id}`,
    kind: delivery.event.type,
    webhook: delivery.webhook,
    subject: delivery.event.subject,
    sequence: sortableCursorOf(delivery.event.position),
    attempts: delivery.attempts,
    last_error: delivery.lastError ?? null,
    created_at: instantText(delivery.createdAt),
    not_before: instantText(delivery.notBefore),
    parked_at: instantText(delivery.parkedAt),
  },
})

type Undelivered = ReturnType<typeof ofMail> | ReturnType<typeof ofEvent>

/** A place in the one list of two: even among the mails, odd among the events after them. */
const OF_EVENTS = 1

/** Mails first, then events, each oldest first. */
const listUndelivered = async (
  { listOutbox, listUndeliveredEvents }: CliUseCases,
  { cursor, limit, parked }: ListRequest,
  caller: Caller,
): Promise<Page<Undelivered>> => {
  const place = cursor === undefined ? 0 : Number(cursor)
  const most = Number(limit)
  const events = async (after: number, count: number): Promise<Page<Undelivered>> => {
    const page = await listUndeliveredEvents.execute({ parked, cursor: cursorOf(after), limit: count }, caller)
    return { items: page.items.map(ofEvent), next: page.next && page.next * 2 + OF_EVENTS }
  }
  if (place % 2 === OF_EVENTS) return await events((place - OF_EVENTS) / 2, most)
  // What is not a cursor is refused there.
  const from = Number.isNaN(place) ? cursor : cursorOf(place / 2)
  const mails = await listOutbox.execute({ parked, cursor: from, limit: most }, caller)
  const items: readonly Undelivered[] = mails.items.map(ofMail)
  if (mails.next !== undefined) return { items, next: mails.next * 2 }
  const left = most - items.length
  const rest = await events(0, Math.max(left, 1))
  return left > 0
    ? { items: [...items, ...rest.items], next: rest.next }
    : { items, next: rest.items.length > 0 ? OF_EVENTS : undefined }
}

const stateOf = ({ parkedAt, lastError }: Undelivered): string => {
  if (parkedAt !== undefined) return 'parked'
  return lastError === undefined ? 'waiting' : 'retrying'
}

const list = listVerb({
  summary: 'List mails and events that are not delivered yet',
  details:
    'Mails first, then events. What is parked is not tried again until `rollcall outbox retry` sends it. A mail that ' +
    'may have been delivered waits until the caps of its address allow a copy. Events for a disabled webhook wait ' +
    'until it is enabled: see `rollcall webhook list`.',
  onlyHere: 'Listing the outbox',
  examples: ['rollcall outbox list', 'rollcall outbox list --parked --json'],
  filters: [['--parked', 'only those that wait for a person']],
  page: listUndelivered,
  columns: [
    { head: 'ID', cell: ({ id }) => id },
    { head: 'KIND', cell: ({ kind }) => kind },
    { head: 'SUBJECT', cell: ({ subject }) => subject },
    { head: 'WEBHOOK', cell: ({ webhook }) => webhook },
    { head: 'STATE', cell: stateOf },
    { head: 'ATTEMPTS', cell: ({ attempts }) => attempts },
    { head: 'DUE', cell: ({ parkedAt, notBefore }) => (parkedAt === undefined ? shortInstantText(notBefore) : '') },
    { head: 'LAST ERROR', cell: ({ lastError }) => lastError ?? '' },
  ],
  representation: ({ document }) => document,
  nothing: ({ parked }) => (parked ? 'Nothing is parked.' : 'The outbox is empty.'),
})

const retry: Verb = {
  name: 'retry',
  summary: 'Send undelivered mails and events at once, parked or not',
  details:
    'They are due at once, and their attempts are counted from zero. The caps on mails to one address still hold; so does the ' +
    'order of the events of one subject, and a webhook that is disabled is sent nothing.',
  onlyHere: 'Retrying mails and events',
  examples: ['rollcall outbox retry 17 e18', 'rollcall outbox retry --all-parked'],
  define: (command, session) =>
    command
      .argument('[id...]', 'of mails and events, as `rollcall outbox list` shows them')
      .option('--all-parked', 'all that wait for a person')
      .action(async (ids: string[], { allParked = false }: { readonly allParked?: boolean }) => {
        if (allParked === ids.length > 0)
          throw usageError('Give the ids of mails or events, or --all-parked, not both.')
        for (const id of ids) requireId(id)
        await session.withUseCases((useCases, caller) =>
          retryAll(session, useCases, caller, allParked ? parkedIds(useCases, caller) : ids),
        )
      }),
}

const requireId = (text: string): void => {
  if (!/^e?\d{1,15}$/.test(text))
    throw usageError(`'${text}' is not the id of a mail or an event. \`rollcall outbox list\` shows them.`)
}

async function* parkedIds(useCases: CliUseCases, caller: Caller): AsyncGenerator<string> {
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const page = await listUndelivered(useCases, { parked: true, cursor, limit: 200 }, caller)
    for (const { id } of page.items) yield String(id)
    cursor = cursorOf(page.next)
  }
}

const retryAll = async (
  session: Session,
  { retryOutbox, retryEvent }: CliUseCases,
  caller: Caller,
  ids: Iterable<string> | AsyncIterable<string>,
): Promise<void> => {
  let mails = 0
  let events = 0
  const notFound: (string | number)[] = []
  for await (const text of ids) {
    session.throwIfInterrupted()
    const isEvent = text.startsWith('e')
    const id = Number(isEvent ? text.slice(1) : text)
    if (!(await (isEvent ? retryEvent : retryOutbox).execute({ id }, caller))) notFound.push(isEvent ? `e${id}` : id)
    else if (isEvent) events++
    else mails++
  }
  const what = [
    ...(mails > 0 || events === 0 ? [counted(mails, 'mail')] : []),
    ...(events > 0 ? [counted(events, 'event')] : []),
  ]
  await session.answer({ retried: mails + events, not_found: notFound }, `${what.join(' and ')} will be sent at once.`)
  if (notFound.length === 0) return
  throw refusedError('NotFound', `Not in the outbox, so sent already or never there: ${notFound.join(', ')}.`)
}

export const verbs: readonly Verb[] = [list, retry]
