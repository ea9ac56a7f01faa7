import {
  CheckSuppressionsUseCase,
  isBlock,
  LiftSuppressionUseCase,
  type StoredSuppression,
  SuppressionNotFound,
} from '@rollcall/core'
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
  lines,
  link,
  notice,
  pager,
  ROWS,
  table,
  time,
  withQuery,
} from '../parts/parts.ts'
import { causesIn, suppressionBadges, suppressionFact } from '../parts/states.ts'
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
  [address.suppression, suppressionFact(visit, suppression)],
  [address.deliverability, deliverability ? html`${deliverability.state}, ${time(deliverability.since)}` : address.ok],
])}
${actions([suppression && may(visit, 'suppressions:lift') && link(at('suppressions', known.address, 'lift'), address.lift)])}
${deliverability && may(visit, 'deliverability:lift') && button(at('undeliverable', known.address, 'lift'), address.deliver, { kind: 'second' })}`
  const badges = html`${suppressionBadges(suppression)} ${deliverability && badge('bad', deliverability.state)}`
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
        cell: (each) =>
          lines(
            causesIn(each).map(({ cause }) => {
              const path = withQuery(at('suppressions', each.address, 'lift'), { cause })
              return html`${cause} ${may(visit, 'suppressions:lift') && link(path, suppressions.lift)}`
            }),
          ),
      },
      { head: suppressions.since, cell: (each) => lines(causesIn(each).map(({ since }) => time(since))) },
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

const suppressed = async ({ options, caller, params }: Visit): Promise<StoredSuppression> => {
  const known = await options.useCases.showAddress.execute({ hash: params.hash ?? '' }, caller)
  if (known?.suppression === undefined) throw new SuppressionNotFound()
  return known.suppression
}

/** Of two causes none is chosen beforehand: the other one must not go with it unseen. */
const question = ({ options, params, query, form }: Visit, suppression: StoredSuppression): Question => {
  const { suppressions } = options.texts
  const causes = causesIn(suppression).map(({ cause }) => cause)
  const each = Object.fromEntries(causes.map((cause) => [cause, cause]))
  const choices = causes.length === 1 ? each : { ...each, all: suppressions.all }
  const said = [form.text('cause'), query.get('cause') ?? ''].find((cause) => Object.hasOwn(choices, cause))
  const chosen = said ?? (causes.length === 1 ? causes[0] : undefined)
  return {
    title: suppressions.liftTitle,
    of: params.hash ?? '',
    about: causes.map((cause) => (isBlock(cause) ? suppressions.unblockAbout : suppressions.liftAbout)).join(' '),
    button: suppressions.lift,
    fields: (problems) => radios('cause', suppressions.which, choices, chosen, problems),
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
  ...deed('/suppressions/-/check', CheckSuppressionsUseCase, { question: checking, work: check }),
  ...deed('/suppressions/{hash}/lift', LiftSuppressionUseCase, { subject: suppressed, question, work: lift }),
}
