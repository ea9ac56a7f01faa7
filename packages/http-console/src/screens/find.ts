import { InvalidInput } from '@rollcall/core'
import { html } from '@rollcall/platform-node'
import { field } from '../parts/fields.ts'
import { at, doneNotice, link, notice } from '../parts/parts.ts'
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
  const { options, caller, form } = visit
  const { find: texts } = options.texts
  const text = form.text('q').trim()
  try {
    const { subscriptions, users, address } = await options.useCases.findPerson.execute({ text }, caller)
    const [subscription] = subscriptions
    const [user] = users
    if (subscription !== undefined && user !== undefined && !text.includes('@')) {
      const both = html`<p>${texts.both}</p><ul>
<li>${link(at('subscriptions', subscription), texts.subscription)}</li><li>${link(at('users', user), texts.user)}</li></ul>`
      return { page: { title: texts.title, content: both } }
    }
    if (subscription !== undefined) return { to: at('subscriptions', subscription) }
    if (user !== undefined) return { to: at('users', user) }
    if (address !== undefined) return { to: at('addresses', address) }
    return page(visit, texts.nothing, 404)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return page(visit, error.details[0]?.message, 422)
  }
}

export const findScreens: Readonly<Record<string, Handler>> = { 'GET /': home, 'POST /find': find }
