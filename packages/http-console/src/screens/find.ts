import { type FoundPerson, InvalidInput, type SortedPage, type User } from '@rollcall/core'
import { html } from '@rollcall/platform-node'
import { field } from '../parts/fields.ts'
import { at, button, doneNotice, link, notice, table, time } from '../parts/parts.ts'
import { type Answer, type Handler, may, type Visit } from '../visit.ts'

const page = (visit: Visit, said: string | undefined, status: number): Answer => {
  const { find } = visit.options.texts
  const content = html`${doneNotice(visit)}${said && notice('alarm', said)}
<form method="post" action="/find" role="search">
${field('q', find.label, { hint: find.hint, value: visit.form.text('q'), required: true, autofocus: true, type: 'search' })}
<button type="submit">${find.button}</button></form>`
  return { page: { title: find.title, content, status } }
}

const home: Handler = async (visit) => {
  const { find } = visit.options.texts
  if (may(visit, 'subscriptions:read')) return page(visit, undefined, 200)
  return { page: { title: find.title, content: html`${doneNotice(visit)}${notice('hint', find.notAllowed)}` } }
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
    const found = text === '' ? undefined : await beginningSo(visit, text)
    if (found !== undefined) return found
    if (address !== undefined) return { to: at('addresses', address) }
    return page(visit, texts.nothing, 404)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return page(visit, error.details[0]?.message, 422)
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

/** All that have words which begin so, newest first; undefined if there are none. */
const beginningSo = async (visit: Visit, query: string): Promise<Answer | undefined> => {
  const { options, caller, form } = visit
  const { find: texts, subscriptions: words, users: userWords } = options.texts
  const request = (name: string) => ({ query, sort: 'newest', cursor: form.text(name) || undefined })
  const { listSubscriptions, listUsers } = options.useCases
  const subscriptions = await listSubscriptions.execute(request('subscriptions'), caller)
  const users = may(visit, 'users:read') ? await listUsers.execute(request('users'), caller) : NONE
  const [one, ...others] = [
    ...subscriptions.items.map(({ id }) => at('subscriptions', id)),
    ...users.items.map(({ id }) => at('users', id)),
  ]
  const isPage = [subscriptions, users].some(({ next, previous }) => (next ?? previous) !== undefined)
  if (one === undefined && !isPage) return undefined
  if (one !== undefined && others.length === 0 && !isPage) return { to: one }
  const content = html`<h2>${texts.subscriptions}</h2>
${table(
  texts.subscriptions,
  [
    { head: words.name, cell: (each) => link(at('subscriptions', each.id), each.name || each.id) },
    { head: words.email, cell: ({ email }) => email },
    { head: words.feed, cell: ({ feed }) => feed },
    { head: words.status, cell: ({ status }) => words.statuses[status] },
    { head: words.created, cell: ({ createdAt }) => time(createdAt) },
  ],
  subscriptions.items,
  words.nothing,
)}${turning(visit, query, 'subscriptions', subscriptions)}
${
  may(visit, 'users:read') &&
  html`<h2>${texts.users}</h2>
${table(
  texts.users,
  [
    { head: userWords.id, cell: ({ id }) => link(at('users', id), id) },
    { head: userWords.name, cell: ({ name }) => name },
    { head: userWords.email, cell: ({ email }) => email },
  ],
  users.items,
  userWords.nothing,
)}${turning(visit, query, 'users', users)}`
}`
  return { page: { title: texts.found, content } }
}

const NONE: SortedPage<User> = { items: [], next: undefined, previous: undefined }

/** By forms: what was typed stays out of the address bar. */
const turning = ({ options }: Visit, q: string, name: string, { next, previous }: SortedPage<unknown>) => {
  const { list } = options.texts
  const to = (cursor: number | undefined, text: string) =>
    cursor === undefined ? undefined : button('/find', text, { hidden: { q, [name]: cursor }, kind: 'second' })
  if ((next ?? previous) === undefined) return undefined
  return html`<nav class="pager" aria-label="${list.pages}">${to(previous, list.previous)} ${to(next, list.next)}</nav>`
}

export const findScreens: Readonly<Record<string, Handler>> = { 'GET /': home, 'POST /find': find }
