import { type FoundPerson, hasWords, InvalidInput, type SortedPage, type Subscription, type User } from '@rollcall/core'
import { fillMarkup, type Html, html } from '@rollcall/platform-node'
import { at, link, notice, withQuery } from '../parts/parts.ts'
import { foundRows, otherPages } from '../parts/searching.ts'
import { type Answer, type Handler, may, type Visit } from '../visit.ts'
import { subscriptionTable } from './subscriptions.ts'
import { userTable } from './users.ts'

const nothing = ({ options }: Visit, said: string | undefined, status: number): Answer => {
  const { find } = options.texts
  const content = html`${notice('alarm', said)}<p>${find.hint}</p>`
  return { page: { title: find.title, content, status } }
}

/** What was typed may be an address, so it comes in a body, and the page that it leads to is named by an id. */
const find: Handler = async (visit) => {
  const { options, form } = visit
  const { find: texts } = options.texts
  const text = form.text('q').trim()
  try {
    const { subscriptions, users, address } = await exactly(visit, text)
    const [subscription] = subscriptions
    const [user] = users
    if (subscription !== undefined && user !== undefined && !text.includes('@')) {
      const both = html`<p>${texts.both}</p><ul>
<li>${link(at('subscriptions', subscription), texts.subscription)}</li><li>${link(at('users', user), texts.user)}</li></ul>`
      return { page: { title: texts.title, content: both } }
    }
    if (subscription !== undefined) return { to: at('subscriptions', subscription) }
    if (user !== undefined) return { to: at('users', user) }
    const found = hasWords(text) ? await beginningSo(visit, text) : undefined
    if (found !== undefined) return found
    // A hash does not say whose subscriptions there are.
    const done = text.includes('@') ? 'noSubscription' : undefined
    if (address !== undefined) return { to: withQuery(at('addresses', address), { done }) }
    return nothing(visit, texts.nothing, 404)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return nothing(visit, error.details[0]?.message, 422)
  }
}

/** An address, an id or a hash; the beginning of an address is none. */
const exactly = async ({ options, caller }: Visit, text: string): Promise<FoundPerson> => {
  try {
    return await options.useCases.findPerson.execute({ text }, caller)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return { subscriptions: [], users: [], address: undefined }
  }
}

/** Of subscriptions and of users, so many on a page. */
const LIMIT = 20

/** All that have words which begin so, newest first; undefined if there are none. */
const beginningSo = async (visit: Visit, query: string): Promise<Answer | undefined> => {
  const { options, caller, form } = visit
  const { find: texts } = options.texts
  const request = (name: string) => ({ query, sort: 'newest', limit: LIMIT, cursor: form.text(name) || undefined })
  const { listSubscriptions, listUsers } = options.useCases
  const [subscriptions, users] = await Promise.all([
    listSubscriptions.execute(request('subscriptions'), caller),
    may(visit, 'users:read') ? listUsers.execute(request('users'), caller) : NO_USERS,
  ])
  const [one, ...others] = [
    ...subscriptions.items.map(({ id }) => at('subscriptions', id)),
    ...users.items.map(({ id }) => at('users', id)),
  ]
  const isPage = [subscriptions, users].some(({ next, previous }) => (next ?? previous) !== undefined)
  if (one === undefined && !isPage) return undefined
  if (one !== undefined && others.length === 0 && !isPage) return { to: one }
  const part = <T>(name: 'subscriptions' | 'users', page: SortedPage<T>, made: (items: readonly T[]) => Html) =>
    (page.items.length > 0 || (page.next ?? page.previous) !== undefined) &&
    html`<h2>${texts[name]}</h2>${foundRows(visit, page, made)}${otherPages(visit, page, { q: query }, name)}`
  const content = html`${part<Subscription>('subscriptions', subscriptions, (items) => subscriptionTable(visit, items))}
${part<User>('users', users, (items) => userTable(visit, items))}`
  return { page: { title: texts.title, heading: fillMarkup(texts.found, { q: query }), content } }
}

const NO_USERS: SortedPage<User> = { items: [], next: undefined, previous: undefined }

export const findScreens: Readonly<Record<string, Handler>> = { 'POST /find': find }
