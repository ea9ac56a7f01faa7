import { html } from '@rollcall/platform-node'
import { field } from '../parts/fields.ts'
import { button, code, facts, link, notice, pager, table, time } from '../parts/parts.ts'
import type { Handler } from '../visit.ts'

const FILTERS = ['actor', 'action', 'target', 'outcome'] as const

const NUMBER = /^\d{1,15}$/

const list: Handler = async (visit) => {
  const { options, caller, query } = visit
  const { audit: texts, list: common } = options.texts
  const after = query.get('after') ?? ''
  const given = query.get('before') ?? ''
  // A link to a record names the one before it.
  const before = NUMBER.test(after) ? Number(after) + 2 : NUMBER.test(given) ? Number(given) : undefined
  const wanted = Object.fromEntries(FILTERS.map((name) => [name, query.get(name)?.trim() || undefined]))
  const { items, next } = await options.useCases.searchAudit.execute({ before, ...wanted }, caller)
  const inputs = FILTERS.map(
    (name) => html`<div class="field">${field(name, texts[name], { value: wanted[name] })}</div>`,
  )
  const isFiltered = Object.values(wanted).some((each) => each !== undefined)
  const content = html`<p>${texts.intro}</p>
<form class="row" method="get" action="/audit">${inputs}<button type="submit" class="second">${common.filter}</button></form>
${button('/audit/verify', texts.verify, { kind: 'second' })}
${table(
  texts.title,
  [
    { head: texts.sequence, cell: ({ sequence }) => sequence },
    { head: texts.at, cell: ({ at }) => time(at) },
    { head: texts.actor, cell: ({ actor, roleSource }) => `${actor} (${roleSource})` },
    { head: texts.channel, cell: ({ channel }) => channel },
    { head: texts.action, cell: ({ action, count }) => (count > 1 ? `${action} × ${count}` : action) },
    { head: texts.target, cell: ({ target }) => target && code(target) },
    { head: texts.outcome, cell: ({ outcome }) => outcome },
    { head: texts.reason, cell: ({ reason }) => reason },
  ],
  items,
  isFiltered && next !== undefined ? texts.notYet : texts.nothing,
)}${isFiltered && next !== undefined && html`<p class="quiet">${texts.lookedAt}</p>`}${pager(visit, next, 'before')}`
  return { page: { title: texts.title, content } }
}

/** Asks with every record of the trail, so it is a deed and no page that is looked at. */
const verify: Handler = async ({ options, caller, stop }) => {
  const { audit: texts } = options.texts
  const { records, checkpoints, broken } = await options.useCases.verifyAudit.execute({ stop }, caller)
  const said =
    broken === undefined
      ? notice('done', texts.holds)
      : notice('alarm', html`${texts.broken} ${broken.sequence} (${broken.fault})`)
  const content = html`${said}${facts([
    [texts.records, records],
    [texts.checkpoints, checkpoints],
  ])}<p>${link('/audit', texts.title)}</p>`
  return { page: { title: texts.verified, content } }
}

export const auditScreens: Readonly<Record<string, Handler>> = { 'GET /audit': list, 'POST /audit/verify': verify }
