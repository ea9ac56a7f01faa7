import { type Html, html } from '@rollcall/platform-node'
import { actions, at, code, doneNotice, FULL_ROWS, link, pager, ROWS, table, time } from '../parts/parts.ts'
import type { Handler } from '../visit.ts'
import { may } from '../visit.ts'

/** What waits for a decision. A button decides on what its page shows, and on nothing else. */
const waiting: Handler = async (visit) => {
  const { options, caller, query } = visit
  const { feedback: texts } = options.texts
  const cursor = query.get('cursor') ?? undefined
  const { items, next } = await options.useCases.listFeedback.execute({ cursor, limit: FULL_ROWS }, caller)
  const ids: Html[] = items.map(({ id }) => html`<input type="hidden" name="id[]" value="${id}">`)
  const content = html`${doneNotice(visit)}<p>${texts.intro}</p>
${table(
  texts.title,
  [
    { head: texts.kind, cell: ({ kind }) => kind },
    { head: texts.address, cell: ({ address }) => link(at('addresses', address), code(address)) },
    { head: texts.caller, cell: (each) => each.caller },
    { head: texts.status, cell: ({ status }) => status },
    { head: texts.at, cell: (each) => time(each.at) },
    { head: texts.since, cell: ({ since }) => time(since) },
  ],
  items,
  texts.nothing,
)}${pager(visit, next)}
${
  items.length > 0 &&
  html`<form method="post" action="/feedback">${ids}
<button type="submit" name="decision" value="accept">${texts.accept}</button>
<button type="submit" name="decision" value="drop" class="second">${texts.drop}</button></form>`
}`
  return { page: { title: texts.title, content } }
}

const decide: Handler = async ({ options, caller, form }) => {
  const ids = form
    .all('id[]')
    .filter((id) => /^\d{1,15}$/.test(id))
    .map(Number)
  const decided = await options.useCases.decideFeedback.execute({ decision: form.text('decision'), ids }, caller)
  return { to: `/feedback?done=${decided > 0 ? 'decided' : 'gone'}` }
}

const undeliverable: Handler = async (visit) => {
  const { options, caller, query } = visit
  const { undeliverable: texts } = options.texts
  const cursor = query.get('cursor') ?? undefined
  const { items, next } = await options.useCases.listUndeliverable.execute({ cursor, limit: ROWS }, caller)
  const content = html`${doneNotice(visit)}<p>${texts.intro}</p>
${actions([may(visit, 'suppressions:read') && link('/suppressions', options.texts.suppressions.title)])}
${table(
  texts.title,
  [
    { head: texts.address, cell: ({ address }) => link(at('addresses', address), code(address)) },
    { head: texts.state, cell: ({ state }) => state },
    { head: texts.status, cell: ({ status }) => status },
    { head: texts.since, cell: ({ since }) => time(since) },
  ],
  items,
  texts.nothing,
)}${pager(visit, next)}`
  return { page: { title: texts.title, content } }
}

const lift: Handler = async ({ options, caller, params }) => {
  const address = params.hash ?? ''
  await options.useCases.liftUndeliverable.execute({ address }, caller)
  return { to: `${at('addresses', address)}?done=deliverable` }
}

export const feedbackScreens: Readonly<Record<string, Handler>> = {
  'GET /feedback': waiting,
  'POST /feedback': decide,
  'GET /undeliverable': undeliverable,
  'POST /undeliverable/{hash}/lift': lift,
}
