import type { Instant, OutboxEntry, Page, WebhookDelivery } from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import {
  actions,
  at,
  badge,
  button,
  countOrMore,
  doneNotice,
  FULL_ROWS,
  facts,
  link,
  long,
  notice,
  pager,
  table,
  time,
  withQuery,
} from '../parts/parts.ts'
import { type Handler, may, type Visit } from '../visit.ts'

/** What one look at the health page shows of each queue. */
const FEW = 10

const retry = (visit: Visit, what: 'mails' | 'events', id: number): Html | false =>
  may(visit, 'outbox:retry') &&
  button(at('outbox', what, id, 'retry'), visit.options.texts.outbox.retry, {
    kind: 'second',
    about: `${id}`,
    hidden: { back: visit.path },
  })

const mails = (visit: Visit, items: readonly OutboxEntry[]): Html => {
  const { outbox: texts } = visit.options.texts
  return table(
    texts.mails,
    [
      { head: texts.subscription, cell: (each) => link(at('subscriptions', each.subscriptionId), each.subscriptionId) },
      { head: texts.kind, cell: ({ kind }) => kind },
      { head: texts.since, cell: ({ createdAt }) => time(createdAt) },
      {
        head: texts.next,
        cell: ({ parkedAt, notBefore }) => (parkedAt === undefined ? time(notBefore) : badge('bad', texts.isParked)),
      },
      { head: texts.attempts, cell: ({ attempts }) => attempts },
      { head: texts.error, cell: ({ lastError }) => lastError },
      { head: texts.action, cell: ({ id }) => retry(visit, 'mails', id) },
    ],
    items,
    texts.noMails,
  )
}

const events = (visit: Visit, items: readonly WebhookDelivery[]): Html => {
  const { outbox: texts } = visit.options.texts
  return table(
    texts.events,
    [
      { head: texts.webhook, cell: ({ webhook }) => link(at('webhooks', webhook), webhook) },
      { head: texts.type, cell: ({ event }) => long(event.type) },
      { head: texts.since, cell: ({ createdAt }) => time(createdAt) },
      {
        head: texts.next,
        cell: ({ parkedAt, notBefore }) => (parkedAt === undefined ? time(notBefore) : badge('bad', texts.isParked)),
      },
      { head: texts.error, cell: ({ lastError }) => lastError },
      { head: texts.action, cell: ({ id }) => retry(visit, 'events', id) },
    ],
    items,
    texts.noEvents,
  )
}

const waitingSince = (visit: Visit, { items, next }: Page<{ readonly at: Instant }>): Html | undefined =>
  items[0] &&
  html`${countOrMore(visit, items.length, next !== undefined)} (${visit.options.texts.outbox.since}: ${time(items[0].at)})`

const health: Handler = async (visit) => {
  const { options, caller } = visit
  const { useCases, texts } = options
  const { health: words, outbox } = texts
  const { storage, outbox: state } = await useCases.checkReadiness.execute()
  const parked = { limit: FEW, parked: true }
  const [parkedMails, parkedEvents] = [
    await useCases.listOutbox.execute(parked, caller),
    await useCases.listUndeliveredEvents.execute(parked, caller),
  ]
  const requests = await useCases.listRequests.execute({ limit: FEW }, caller)
  const webhooks = may(visit, 'webhooks:read')
    ? (await useCases.listWebhooks.execute({ limit: 200 }, caller)).items
    : []
  const failing = may(visit, 'webhooks:read') ? [...(await useCases.listFailingWebhooks.execute({}, caller))] : []
  const off = webhooks.filter(({ disabled }) => disabled !== undefined)
  const content = html`${doneNotice(visit)}
${notice(state === 'ok' && storage === 'ok' ? 'done' : 'alarm', words.states[state])}
${facts([
  [words.storage, storage],
  [words.outbox, state],
  [texts.start.waiting.requests, waitingSince(visit, requests)],
  [
    words.webhooksFailing,
    failing.map(
      ([name, since]) => html`${link(at('webhooks', name), name)} (${texts.webhooks.failingSince}: ${time(since)}) `,
    ),
  ],
  [
    words.webhooksOff,
    off.map(({ name, disabled }) => html`${link(at('webhooks', name), name)} (${disabled?.because}) `),
  ],
])}
<h2>${words.parkedMails}</h2>${mails(visit, parkedMails.items)}${retryShown(visit, 'mails', parkedMails.items)}
${actions([parkedMails.next !== undefined && link('/outbox?show=parked', texts.list.all), link('/outbox', outbox.title)])}
<h2>${words.parkedEvents}</h2>${events(visit, parkedEvents.items)}${retryShown(visit, 'events', parkedEvents.items)}
${actions([parkedEvents.next !== undefined && link('/outbox/events?show=parked', texts.list.all), link('/outbox/events', outbox.eventsTitle)])}
${actions([may(visit, 'feedback:decide') && link('/feedback', words.feedback)])}`
  return { page: { title: words.title, content } }
}

const filter = ({ path, query, options }: Visit): Html => {
  const { outbox: texts } = options.texts
  const parked = query.get('show') === 'parked'
  const to = (show: string | undefined) => withQuery(path, { webhook: query.get('webhook') || undefined, show })
  return html`<ul class="tabs"><li>${parked ? link(to(undefined), texts.everything) : html`<b>${texts.everything}</b>`}</li>
<li>${parked ? html`<b>${texts.parked}</b>` : link(to('parked'), texts.parked)}</li></ul>`
}

const requestIn = ({ query }: Visit) => ({
  limit: FULL_ROWS,
  cursor: query.get('cursor') ?? undefined,
  parked: query.get('show') === 'parked' || undefined,
})

const outboxPage: Handler = async (visit) => {
  const { options, caller } = visit
  const { items, next } = await options.useCases.listOutbox.execute(requestIn(visit), caller)
  const content = html`${doneNotice(visit)}${filter(visit)}${mails(visit, items)}${retryShown(visit, 'mails', items)}${pager(visit, next)}`
  return { page: { title: options.texts.outbox.title, content } }
}

const eventsPage: Handler = async (visit) => {
  const { options, caller, query } = visit
  const webhook = query.get('webhook') || undefined
  const { items, next } = await options.useCases.listUndeliveredEvents.execute({ ...requestIn(visit), webhook }, caller)
  const which = webhook && html`<p>${options.texts.outbox.webhook}: ${link(at('webhooks', webhook), webhook)}</p>`
  const content = html`${doneNotice(visit)}${which}${filter(visit)}${events(visit, items)}${retryShown(visit, 'events', items)}${pager(visit, next)}`
  return { page: { title: options.texts.outbox.eventsTitle, content } }
}

/** A button for all that the page shows as given up, and for nothing else. */
const retryShown = (
  visit: Visit,
  what: 'mails' | 'events',
  items: readonly (OutboxEntry | WebhookDelivery)[],
): Html | false => {
  const ids = items.filter(({ parkedAt }) => parkedAt !== undefined).map(({ id }) => id)
  const hidden = { back: visit.path, 'id[]': ids }
  return (
    ids.length > 1 &&
    may(visit, 'outbox:retry') &&
    html`<p>${button(`/outbox/${what}/retry`, visit.options.texts.outbox.retryShown, { kind: 'second', hidden })}</p>`
  )
}

const PLACES = ['/health', '/outbox', '/outbox/events']

const retries =
  (name: 'retryOutbox' | 'retryEvent'): Handler =>
  async ({ options, caller, params, form }) => {
    let found = 0
    for (const text of params.id === undefined ? form.all('id[]').slice(0, FULL_ROWS) : [params.id]) {
      const id = /^\d{1,16}$/.test(text) ? Number(text) : 0
      if (await options.useCases[name].execute({ id }, caller)) found++
    }
    const back = PLACES.find((place) => place === form.text('back')) ?? '/health'
    return { to: `${back}?done=${found > 0 ? 'retried' : 'gone'}` }
  }

export const healthScreens: Readonly<Record<string, Handler>> = {
  'GET /health': health,
  'GET /outbox': outboxPage,
  'GET /outbox/events': eventsPage,
  'POST /outbox/mails/retry': retries('retryOutbox'),
  'POST /outbox/events/retry': retries('retryEvent'),
  'POST /outbox/mails/{id}/retry': retries('retryOutbox'),
  'POST /outbox/events/{id}/retry': retries('retryEvent'),
}
