import {
  type Caller,
  cursorOf,
  type OutboxEntry,
  type Page,
  sortableCursorOf,
  type WaitingRequest,
  type WebhookDelivery,
} from '@rollcall/core'
import { refusedError, usageError } from '../cli-error.ts'
import type { DirectUseCases } from '../cli-host.ts'
import { type ListRequest, listVerb } from '../listing.ts'
import type { Service } from '../service/service.ts'
import type { Session } from '../session.ts'
import { counted, instantText, inWords, shortInstantText } from '../texts.ts'
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

/** The same of a request of the public that is not carried out yet. */
const ofRequest = ({ id, at, asked, parkedAt, error }: WaitingRequest) => ({
  id: `s${id}`,
  kind: asked.kind,
  webhook: '',
  attempts: 0,
  notBefore: at,
  parkedAt,
  lastError: error,
  subject: asked.kind === 'sign-up' ? asked.feeds.map(({ feed }) => feed).join(' ') : '',
  document: {
    id: `s${id}`,
    kind: asked.kind,
    created_at: instantText(at),
    last_error: error ?? null,
    parked_at: instantText(parkedAt),
  },
})

type Undelivered = ReturnType<typeof ofRequest> | ReturnType<typeof ofMail> | ReturnType<typeof ofEvent>

type Request = Partial<ListRequest>
type Listing = (request: Request, caller: Caller) => Promise<Page<Undelivered>>

/** What is listed, in this order; the place of the one list is that of one of these, times three, plus its number. */
const listings = ({ listRequests, listOutbox, listUndeliveredEvents }: DirectUseCases): readonly Listing[] => [
  async (request, caller) => mapped(await listRequests.execute(request, caller), ofRequest),
  async (request, caller) => mapped(await listOutbox.execute(request, caller), ofMail),
  async (request, caller) => mapped(await listUndeliveredEvents.execute(request, caller), ofEvent),
]

const mapped = <From>({ items, next }: Page<From>, to: (item: From) => Undelivered): Page<Undelivered> => ({
  items: items.map(to),
  next,
})

/** Requests first, then mails, then events, each oldest first. */
const listUndelivered = async (
  useCases: DirectUseCases,
  request: Request,
  caller: Caller,
): Promise<Page<Undelivered>> => {
  const all = listings(useCases)
  const { cursor: begin = '0' } = request
  const place = /^\d{1,16}$/.test(begin) ? Number(begin) : Number.NaN
  const most = Number(request.limit)
  const items: Undelivered[] = []
  // What is not a cursor is refused by the first.
  const first = Number.isNaN(place) ? 0 : place % all.length
  for (let n = first; n < all.length; n++) {
    const cursor = Number.isNaN(place) ? request.cursor : cursorOf(n === first ? (place - n) / all.length : 0)
    const left = most - items.length
    const page = await all[n]?.({ ...request, cursor, limit: Math.max(left, 1) }, caller)
    if (page === undefined || page.items.length === 0) continue
    if (left === 0) return { items, next: n }
    items.push(...page.items)
    if (page.next !== undefined) return { items, next: page.next * all.length + n }
  }
  return { items, next: undefined }
}

/** `isHeldUp`: its webhook is disabled. */
type Listed = Undelivered & { readonly isHeldUp: boolean }

const withDisabled = async (service: Service, items: readonly Undelivered[]): Promise<readonly Listed[]> => {
  const isAsked = items.some(({ webhook, parkedAt }) => webhook !== '' && parkedAt === undefined)
  const disabled = isAsked ? await disabledWebhooks(service) : new Set()
  return items.map((one) => ({ ...one, isHeldUp: disabled.has(one.webhook) }))
}

const disabledWebhooks = async (service: Service): Promise<ReadonlySet<string>> => {
  const disabled = new Set<string>()
  for await (const { name, disabled_since } of service.client.listWebhooks({}))
    if (disabled_since !== null) disabled.add(name)
  return disabled
}

const isDue = ({ parkedAt, isHeldUp }: Listed): boolean => parkedAt === undefined && !isHeldUp

const stateOf = ({ parkedAt, lastError, isHeldUp }: Listed): string => {
  if (parkedAt !== undefined) return 'parked'
  if (isHeldUp) return 'disabled'
  return lastError === undefined ? 'waiting' : 'retrying'
}

const list = listVerb({
  summary: 'List sign-ups that are not carried out yet, and mails and events that are not delivered yet',
  details:
    'Sign-ups first, then mails, then events. What is parked waits for `rollcall outbox retry`, a mail that may have been delivered for the caps of its address, and events of a disabled webhook until it is enabled.',
  onlyHere: 'Listing the outbox',
  examples: ['rollcall outbox list', 'rollcall outbox list --parked --json'],
  filters: [['--parked', 'only those that wait for `rollcall outbox retry`']],
  page: async (service, request, { useCases, caller }) => {
    const { items, next } = await listUndelivered(useCases, request, caller)
    return { items: await withDisabled(service, items), next: cursorOf(next) ?? null }
  },
  columns: [
    { head: 'ID', cell: ({ id }) => id },
    { head: 'KIND', cell: ({ kind }) => kind },
    { head: 'SUBJECT', cell: ({ subject }) => subject },
    { head: 'WEBHOOK', cell: ({ webhook }) => webhook },
    { head: 'STATE', cell: stateOf },
    { head: 'ATTEMPTS', cell: ({ attempts }) => attempts },
    { head: 'DUE', cell: (one) => (isDue(one) ? shortInstantText(one.notBefore) : '') },
    { head: 'LAST ERROR', cell: ({ lastError }) => lastError ?? '' },
  ],
  representation: ({ document }) => document,
  nothing: ({ parked }) => (parked ? 'Nothing is parked.' : 'The outbox is empty.'),
})

const retry: Verb = {
  name: 'retry',
  summary: 'Send undelivered mails and events at once, and carry out parked sign-ups',
  details:
    'They are due at once, and their attempts are counted from zero. The caps on mails to one address still hold, and the order of the events of one subject; a disabled webhook is sent nothing.',
  onlyHere: 'Retrying mails and events',
  examples: ['rollcall outbox retry 17 e18 s19', 'rollcall outbox retry --all-parked'],
  define: (command, session) =>
    command
      .argument('[id...]', 'of mails, events and sign-ups, as `rollcall outbox list` shows them')
      .option('--all-parked', 'all that are parked')
      .action(async (ids: string[], { allParked = false }: { readonly allParked?: boolean }) => {
        if (allParked === ids.length > 0) throw usageError('Give either ids or --all-parked.')
        for (const id of ids) requireId(id)
        await session.withService((service, { useCases, caller }) =>
          retryAll(session, service, useCases, caller, allParked ? parkedIds(useCases, caller) : ids),
        )
      }),
}

const requireId = (text: string): void => {
  if (!/^[es]?\d{1,15}$/.test(text))
    throw usageError(`'${text}' is not the id of a mail, an event or a sign-up. \`rollcall outbox list\` shows them.`)
}

async function* parkedIds(useCases: DirectUseCases, caller: Caller): AsyncGenerator<string> {
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const page = await listUndelivered(useCases, { parked: true, cursor, limit: 200 }, caller)
    for (const { id } of page.items) yield String(id)
    cursor = cursorOf(page.next)
  }
}

const retryAll = async (
  session: Session,
  service: Service,
  useCases: DirectUseCases,
  caller: Caller,
  ids: Iterable<string> | AsyncIterable<string>,
): Promise<void> => {
  const { retryOutbox, retryEvent, retryRequest } = useCases
  const counts = { mail: 0, event: 0, 'sign-up': 0 }
  let disabled: ReadonlySet<string> | undefined
  const holding = new Set<string>()
  let heldUp = 0
  const notFound: (string | number)[] = []
  for await (const text of ids) {
    session.throwIfInterrupted()
    const [kind, useCase] = text.startsWith('e')
      ? (['event', retryEvent] as const)
      : text.startsWith('s')
        ? (['sign-up', retryRequest] as const)
        : (['mail', retryOutbox] as const)
    const id = Number(text.replace(/^\D/, ''))
    if (!(await useCase.execute({ id }, caller))) {
      notFound.push(kind === 'mail' ? id : text)
      continue
    }
    counts[kind]++
    if (kind !== 'event') continue
    disabled ??= await disabledWebhooks(service)
    const webhook = disabled.size > 0 ? await targetOf(useCases, id, caller) : undefined
    if (webhook === undefined || !disabled.has(webhook)) continue
    heldUp++
    holding.add(webhook)
  }
  const { mail, event, 'sign-up': signUps } = counts
  const retried = mail + event + signUps
  const sent = [
    ...(mail > 0 || retried === 0 ? [counted(mail, 'mail')] : []),
    ...(event > heldUp || retried === 0 ? [counted(event - heldUp, 'event')] : []),
  ]
  const targets = holding.size === 1 ? `webhook ${inWords([...holding])} is` : `webhooks ${inWords([...holding])} are`
  const sentences = [
    ...(sent.length > 0 ? [`${sent.join(' and ')} will be sent at once.`] : []),
    ...(heldUp > 0 ? [`${counted(heldUp, 'event')} will be sent once the ${targets} enabled again.`] : []),
    ...(signUps > 0 ? [`${counted(signUps, 'sign-up')} will be carried out at once.`] : []),
  ]
  await session.answer({ retried, not_found: notFound }, sentences.join(' '))
  if (notFound.length === 0) return
  throw refusedError('NotFound', `Not in the outbox, so done already or never there: ${notFound.join(', ')}.`)
}

/** Undefined if the event was delivered meanwhile. */
const targetOf = async (useCases: DirectUseCases, id: number, caller: Caller): Promise<string | undefined> => {
  const { items } = await useCases.listUndeliveredEvents.execute({ cursor: cursorOf(id - 1), limit: 1 }, caller)
  return items.find((delivery) => delivery.id === id)?.webhook
}

export const verbs: readonly Verb[] = [list, retry]
