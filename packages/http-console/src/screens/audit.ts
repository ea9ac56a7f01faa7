import { AUDIT_ACTIONS, AUDIT_OUTCOMES, type AuditVerification } from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import { notFound } from '../error-page.ts'
import { field, select } from '../parts/fields.ts'
import { goesOn } from '../parts/goes-on.ts'
import { actions, at, badge, button, code, facts, link, notice, pager, table, time } from '../parts/parts.ts'
import type { Texts } from '../texts.ts'
import type { Verification } from '../verifications.ts'
import { type Handler, only } from '../visit.ts'

const FILTERS = ['actor', 'action', 'target', 'outcome'] as const

const choicesOf = (any: string, values: readonly string[]) =>
  Object.fromEntries([['', any], ...values.map((value) => [value, value])])

const NUMBER = /^-?\d{1,15}$/

const list: Handler = async (visit) => {
  const { options, caller, query } = visit
  const { audit: texts, list: common } = options.texts
  const place = query.get('before') ?? ''
  const before = NUMBER.test(place) ? Number(place) : undefined
  const wanted = Object.fromEntries(FILTERS.map((name) => [name, query.get(name)?.trim() || undefined]))
  const { items, next } = await options.useCases.searchAudit.execute({ before, ...wanted }, caller)
  const typed = (name: 'actor' | 'target') =>
    html`<div class="field">${field(name, texts[name], { value: wanted[name] })}</div>`
  const chosen = (name: 'action' | 'outcome', values: readonly string[]) =>
    select(name, texts[name], choicesOf(common.any, values), wanted[name])
  const inputs = [typed('actor'), chosen('action', AUDIT_ACTIONS), typed('target'), chosen('outcome', AUDIT_OUTCOMES)]
  const isFiltered = Object.values(wanted).some((each) => each !== undefined)
  const content = html`<p>${texts.intro}</p>
<form class="row" method="get" action="/audit">${inputs}<button type="submit" class="second">${common.filter}</button></form>
${actions([button('/audit/verify', texts.verify, { kind: 'second' })])}
${table(
  texts.title,
  [
    { head: texts.sequence, cell: ({ sequence }) => sequence ?? '–' },
    { head: texts.at, cell: ({ at }) => time(at) },
    {
      head: texts.action,
      cell: ({ action, count, reason }) =>
        html`${count > 1 ? `${action} × ${count}` : action}${reason !== undefined && html` <span class="zone below">${reason}</span>`}`,
    },
    { head: texts.outcome, cell: ({ outcome }) => badge(outcome === 'done' ? 'good' : 'bad', outcome) },
    {
      head: texts.actor,
      cell: ({ actor, roleSource, channel }) =>
        html`${actor} <span class="zone below">${channel}, ${roleSource}</span>`,
    },
    { head: texts.target, cell: ({ target }) => target && code(target) },
  ],
  items,
  isFiltered && next !== undefined ? texts.notYet : texts.nothing,
)}${isFiltered && next !== undefined && html`<p class="quiet">${texts.lookedAt}</p>`}${pager(visit, next, 'before')}`
  return { page: { title: texts.title, content } }
}

const pathOf = ({ id }: Verification): string => at('audit', 'verify', id)

const begin: Handler = async ({ options, caller, verifications }) => {
  const { items } = await options.useCases.searchAudit.execute({}, caller)
  const newest = items.find(({ sequence }) => sequence !== undefined)
  const begun = verifications.begin(newest?.sequence ?? 0, caller)
  await verifications.goOn(begun.id, caller)
  return { to: pathOf(begun) }
}

const goOn: Handler = async ({ options, caller, params, verifications }) => {
  const verification = await verifications.goOn(params.id ?? '', caller)
  if (verification === undefined) throw notFound(options)
  return { to: pathOf(verification) }
}

const said = ({ audit: texts }: Texts, { broken }: AuditVerification): Html =>
  broken === undefined
    ? notice('done', texts.holds)
    : notice('alarm', html`${texts.broken} ${broken.sequence} (${broken.fault})`)

const verification: Handler = async (visit) => {
  const { options, caller, params, verifications } = visit
  const { audit: texts } = options.texts
  const found = verifications.find(params.id ?? '', caller)
  if (found === undefined) throw notFound(options)
  const { records, seals, result } = found
  const most = Math.max(records, found.most)
  const state =
    result === undefined
      ? html`<p>${texts.verifying}</p>${goesOn(visit, pathOf(found), records, most)}`
      : said(options.texts, result)
  const content = html`${state}${facts([
    [texts.records, records],
    [texts.seals, seals],
  ])}${result && button('/audit/verify', texts.again, { kind: 'second' })}<p>${link('/audit', texts.title)}</p>`
  return { page: { title: texts.verified, content } }
}

export const auditScreens: Readonly<Record<string, Handler>> = {
  'GET /audit': list,
  'POST /audit/verify': only('audit:read', begin),
  'GET /audit/verify/{id}': only('audit:read', verification),
  'POST /audit/verify/{id}': only('audit:read', goOn),
}
