import { html } from '@rollcall/platform-node'
import { notFound } from '../error-page.ts'
import { field, radios } from '../parts/fields.ts'
import {
  actions,
  at,
  badge,
  button,
  code,
  doneNotice,
  facts,
  link,
  notice,
  pager,
  ROWS,
  table,
  time,
  withQuery,
} from '../parts/parts.ts'
import { type Answer, type Handler, may, type Visit } from '../visit.ts'
import { deed, type Question } from './asking.ts'

const show: Handler = async (visit) => {
  const { options, caller, params } = visit
  const { address } = options.texts
  const known = await options.useCases.showAddress.execute({ hash: params.hash ?? '' }, caller)
  if (known === undefined) throw notFound(options)
  const { suppression, deliverability } = known
  const content = html`${doneNotice(visit)}
<p>${address.intro}</p>
${facts([
  [address.hash, code(known.address)],
  [address.suppression, suppression ? html`${suppression.cause}, ${time(suppression.since)}` : address.none],
  [address.deliverability, deliverability ? html`${deliverability.state}, ${time(deliverability.since)}` : address.ok],
])}
${actions([suppression && may(visit, 'suppressions:lift') && link(at('suppressions', known.address, 'lift'), address.lift)])}
${deliverability && may(visit, 'deliverability:lift') && button(at('undeliverable', known.address, 'lift'), address.deliver, { kind: 'second' })}`
  const badges = html`${suppression && badge('bad', suppression.cause)} ${deliverability && badge('bad', deliverability.state)}`
  return { page: { title: `${address.title} ${known.address}`, badges, content } }
}

const list: Handler = async (visit) => {
  const { options, caller, query } = visit
  const { suppressions } = options.texts
  const cursor = query.get('cursor') ?? undefined
  const { items, next } = await options.useCases.listSuppressions.execute({ cursor, limit: ROWS }, caller)
  const rows = table(
    suppressions.title,
    [
      { head: suppressions.address, cell: ({ address }) => link(at('addresses', address), code(address)) },
      {
        head: suppressions.cause,
        cell: ({ address, cause }) =>
          may(visit, 'suppressions:lift')
            ? html`${cause} ${link(withQuery(at('suppressions', address, 'lift'), { cause }), suppressions.lift)}`
            : cause,
      },
      { head: suppressions.since, cell: ({ since }) => time(since) },
    ],
    items,
    suppressions.nothing,
  )
  return {
    page: {
      title: suppressions.title,
      content: html`${doneNotice(visit)}<p>${suppressions.intro}</p>
${actions([may(visit, 'suppressions:check') && link('/suppressions/-/check', suppressions.checkTitle), may(visit, 'deliverability:read') && link('/undeliverable', suppressions.undeliverable)])}${rows}${pager(visit, next)}`,
    },
  }
}

const checking = (visit: Visit): Question => {
  const { suppressions } = visit.options.texts
  return {
    title: suppressions.checkTitle,
    about: suppressions.checkAbout,
    button: suppressions.check,
    fields: (problems) =>
      field('addresses', suppressions.addresses, {
        value: visit.form.text('addresses'),
        hint: suppressions.addressesHint,
        rows: 6,
        required: true,
        problems,
      }),
    back: '/suppressions',
  }
}

/** What was asked stays out of the address bar, so the answer is that of the form. */
const check = async ({ options, caller, form }: Visit): Promise<Answer> => {
  const { suppressions } = options.texts
  const addresses = form.text('addresses').split('\n')
  const asked = addresses.map((each) => each.trim()).filter((each) => each !== '')
  const { blocked, unread, reasons } = await options.useCases.checkSuppressions.execute({ addresses: asked }, caller)
  const why = new Map(reasons?.map(({ address, because }) => [address, because]))
  const rows = table(
    suppressions.checkTitle,
    [
      { head: suppressions.address, cell: (address) => address },
      { head: suppressions.cause, cell: (address) => why.get(address) },
    ],
    blocked,
    unread.length > 0 ? suppressions.othersFree : suppressions.allFree,
  )
  const wrong =
    unread.length > 0 &&
    html`${notice('alarm', suppressions.unread)}<ul>${unread.map((line) => html`<li>${line}</li>`)}</ul>`
  const again = link('/suppressions/-/check', suppressions.checkOthers)
  return { page: { title: suppressions.checkTitle, content: html`${wrong}${rows}<p>${again}</p>` } }
}

const CAUSES = ['refused', 'never-again', 'blocked', 'complaint'] as const

const question = ({ options, params, query }: Visit): Question => {
  const { suppressions } = options.texts
  const cause = CAUSES.find((each) => each === query.get('cause')) ?? ''
  return {
    title: suppressions.liftTitle,
    of: params.hash ?? '',
    about: suppressions.liftAbout,
    button: suppressions.lift,
    fields: () =>
      radios('cause', suppressions.which, { all: suppressions.all, ...(cause && { [cause]: cause }) }, cause || 'all'),
    back: at('addresses', params.hash ?? ''),
  }
}

const lift = async ({ options, caller, params, form }: Visit): Promise<Answer> => {
  const address = params.hash ?? ''
  const cause = form.text('cause') || undefined
  await options.useCases.liftSuppression.execute({ address, cause }, caller)
  return { to: `${at('addresses', address)}?done=lifted` }
}

export const addressScreens: Readonly<Record<string, Handler>> = {
  'GET /addresses/{hash}': show,
  'GET /suppressions': list,
  ...deed('/suppressions/-/check', 'suppressions:check', { question: checking, work: check }),
  ...deed('/suppressions/{hash}/lift', 'suppressions:lift', { question, work: lift }),
}
