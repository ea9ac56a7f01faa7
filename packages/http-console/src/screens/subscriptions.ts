import {
  ConfirmOnBehalfUseCase,
  type ConsentRecord,
  EndOnBehalfUseCase,
  EraseSubscriptionUseCase,
  type Explanation,
  type Subscription,
} from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import { select } from '../parts/fields.ts'
import {
  actions,
  at,
  badge,
  called,
  code,
  count,
  doneNotice,
  facts,
  link,
  long,
  notice,
  pager,
  prose,
  ROWS,
  table,
  time,
} from '../parts/parts.ts'
import { feedSelect, foundRows, narrowingIn, otherPages, searchForm } from '../parts/searching.ts'
import { statusBadge, suppressionBadges, suppressionFact } from '../parts/states.ts'
import { type Handler, may, type Visit } from '../visit.ts'
import { deed, reasonIn } from './asking.ts'

const pathOf = ({ id }: Pick<Subscription, 'id'>): string => at('subscriptions', id)

export const subscriptionTable = (
  visit: Visit,
  items: readonly Subscription[],
  { title, nothing }: { readonly title: string; readonly nothing: string } = visit.options.texts.subscriptions,
): Html => {
  const { subscriptions: texts } = visit.options.texts
  return table(
    title,
    [
      { head: texts.who, cell: (each) => link(pathOf(each), long(called(each.name, each.email))) },
      { head: texts.email, cell: ({ email }) => long(email) },
      { head: texts.feed, cell: ({ feed }) => feed },
      { head: texts.status, cell: ({ status }) => statusBadge(visit, status) },
      { head: texts.created, cell: ({ createdAt }) => time(createdAt) },
    ],
    items,
    nothing,
  )
}

const lists =
  (isTyped: boolean): Handler =>
  async (visit) => {
    const { options, caller } = visit
    const { subscriptions: texts } = options.texts
    const narrowing = narrowingIn(visit, ['feed', 'status'], isTyped)
    if (narrowing.to !== undefined) return { to: narrowing.to }
    const { filters, query, cursor } = narrowing
    const command = { ...filters, query, cursor, sort: 'newest', limit: ROWS }
    const { items, next, previous, total } = await options.useCases.listSubscriptions.execute(command, caller)
    const { any, pending, confirmed, ended } = texts.statuses
    const selects = html`${await feedSelect(visit, filters.feed)}
${select('status', texts.status, { '': any, pending, confirmed, ended }, filters.status)}`
    const onwards = isTyped
      ? otherPages(visit, { next, previous }, { ...filters, query })
      : pager(visit, next, 'cursor', previous)
    const content = html`${doneNotice(visit)}${searchForm(visit, narrowing, selects)}
${count(visit, total)}${foundRows(visit, { items, next }, (all) => subscriptionTable(visit, all))}${onwards}`
    return { page: { title: texts.title, content } }
  }

const ledger = ({ options }: Visit, consents: readonly ConsentRecord[]) => {
  const { subscription: texts } = options.texts
  return table(
    texts.ledger,
    [
      { head: texts.at, cell: ({ at }) => time(at) },
      { head: texts.deed, cell: ({ deed, count }) => (count > 1 ? `${deed} × ${count}` : deed) },
      { head: texts.via, cell: ({ via }) => via },
      { head: texts.wording, cell: ({ wording }) => wording },
      { head: texts.network, cell: ({ clientAddress }) => clientAddress },
    ],
    consents,
    texts.noLedger,
  )
}

const timeline = ({ options }: Visit, { timeline: entries }: Explanation) => {
  const { subscription: texts } = options.texts
  return table(
    texts.timeline,
    [
      { head: texts.at, cell: ({ at }) => time(at) },
      { head: texts.what, cell: ({ what }) => what },
      { head: texts.feed, cell: ({ feed }) => feed },
      { head: texts.until, cell: ({ until }) => time(until) },
      { head: texts.message, cell: ({ messageId }) => messageId && long(messageId) },
    ],
    entries,
    texts.noTimeline,
  )
}

const whatCanBeDone = (visit: Visit, subscription: Subscription, hash: string | undefined) => {
  const { subscription: texts } = visit.options.texts
  const path = pathOf(subscription)
  const { status } = subscription
  const write = may(visit, 'subscriptions:write')
  return actions([
    write && status === 'pending' && link(`${path}/confirm`, texts.confirm),
    write && status !== 'ended' && link(`${path}/end`, texts.end),
    write && html`<a class="grave" href="${path}/erase">${texts.erase}</a>`,
    hash !== undefined && may(visit, 'suppressions:lift') && link(at('addresses', hash), texts.address),
  ])
}

/** What stands in the way of mails is told apart from the state of this subscription. */
const badges = (visit: Visit, { status }: Subscription, { suppression, deliverability }: Explanation) => {
  const { subscription: texts } = visit.options.texts
  return html`${statusBadge(visit, status)} ${suppressionBadges(suppression, (cause) => `${texts.suppressed}: ${cause}`)} ${
    deliverability !== 'ok' && badge('bad', deliverability)
  }`
}

const show: Handler = async (visit) => {
  const { options, caller, params } = visit
  const { useCases, texts } = options
  const subscriptionId = params.id ?? ''
  const { subscription, consents } = await useCases.getConsent.execute({ subscriptionId }, caller)
  const explained = await useCases.explainSubscriptions.execute({ email: subscription.email }, caller)
  const { address, users } = await useCases.findPerson.execute({ text: subscription.email }, caller)
  const words = texts.subscription
  const { suppression, deliverability } = explained
  const [user] = users
  const content = html`${doneNotice(visit)}
<h2 class="unseen">${words.why}</h2>${notice('hint', prose(explained.conclusion))}
${whatCanBeDone(visit, subscription, suppression && address)}
${facts([
  [texts.subscriptions.email, long(subscription.email)],
  [texts.subscriptions.name, subscription.name],
  [texts.subscriptions.feed, link(at('feeds', subscription.feed), subscription.feed)],
  [texts.subscriptions.locale, subscription.locale],
  [words.fields, Object.entries(subscription.fields ?? {}).map(([name, value]) => html`${name}: ${String(value)}<br>`)],
  [words.created, time(subscription.createdAt)],
  [words.confirmed, time(subscription.confirmedAt)],
  [words.ended, time(subscription.endedAt)],
  [words.expires, subscription.status === 'pending' && time(subscription.expiresAt)],
  [texts.address.suppression, suppressionFact(visit, suppression)],
  [texts.address.deliverability, deliverability],
  [words.user, user && link(at('users', user), user)],
  [texts.subscriptions.id, code(String(subscription.id))],
])}
<h2>${words.everyFeed}</h2>
${table(
  words.everyFeed,
  [
    {
      head: texts.subscriptions.feed,
      cell: (each) =>
        each.id === subscription.id ? html`${each.feed} (${words.thisOne})` : link(pathOf(each), each.feed),
    },
    { head: texts.subscriptions.status, cell: (each) => statusBadge(visit, each.status) },
    { head: texts.subscriptions.created, cell: ({ createdAt }) => time(createdAt) },
  ],
  explained.subscriptions,
  words.gone,
)}
<h2>${words.timeline}</h2>
${timeline(visit, explained)}
<h2>${words.ledger}</h2>
${ledger(visit, consents)}`
  const title = `${words.title} ${subscription.id}`
  const heading = called(subscription.name, subscription.email)
  return { page: { title, heading, badges: badges(visit, subscription, explained), content } }
}

const GUARDED = { confirm: ConfirmOnBehalfUseCase, end: EndOnBehalfUseCase, erase: EraseSubscriptionUseCase }

/** What is asked is about what is shown: with anything else, nothing is done. */
const doing = (what: 'confirm' | 'end' | 'erase') =>
  deed<Subscription>(`/subscriptions/{id}/${what}`, GUARDED[what], {
    subject: async ({ options, caller, params }) =>
      await options.useCases.getSubscription.execute({ subscriptionId: params.id ?? '' }, caller),
    question: (visit, subscription) => {
      const { subscription: words, subscriptions } = visit.options.texts
      const { id, email, feed, status } = subscription
      const about = html`<p>${words.asks[what]}</p>
${facts([
  [subscriptions.email, email],
  [subscriptions.feed, feed],
  [subscriptions.status, statusBadge(visit, status)],
])}`
      return {
        ...{ title: words[what], of: String(id), called: email, about, button: words[what] },
        reason: what === 'erase' ? 'optional' : 'required',
        back: pathOf(subscription),
        fields: () => html`<input type="hidden" name="status" value="${status}">`,
        ...(what === 'erase' && ({ kind: 'grave' } as const)),
      }
    },
    work: async (visit) => {
      const { options, caller, params, form } = visit
      const subscriptionId = params.id ?? ''
      const precondition = (current: Subscription | undefined) => current?.status === form.text('status')
      const command = { subscriptionId, reason: reasonIn(visit), precondition }
      const { confirmOnBehalf, endOnBehalf, eraseSubscription } = options.useCases
      if (what === 'erase') {
        await eraseSubscription.execute(command, caller)
        return { to: '/subscriptions?done=erased' }
      }
      await (what === 'end' ? endOnBehalf : confirmOnBehalf).execute(command, caller)
      return { to: `${at('subscriptions', subscriptionId)}?done=${what === 'end' ? 'ended' : 'confirmed'}` }
    },
  })

export const subscriptionScreens: Readonly<Record<string, Handler>> = {
  'GET /subscriptions': lists(false),
  'POST /subscriptions': lists(true),
  'GET /subscriptions/{id}': show,
  ...doing('confirm'),
  ...doing('end'),
  ...doing('erase'),
}
