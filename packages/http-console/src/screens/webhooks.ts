import {
  DeleteWebhookUseCase,
  EVENT_TYPES,
  InvalidInput,
  PutWebhookUseCase,
  RotateWebhookSecretUseCase,
  type TriedWebhook,
  type Webhook,
  type WebhookAnswer,
} from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import { field, tick, ticks } from '../parts/fields.ts'
import {
  actions,
  at,
  badge,
  button,
  code,
  countOrMore,
  doneNotice,
  FULL_ROWS,
  facts,
  link,
  long,
  notice,
  pager,
  ROWS,
  table,
  time,
  withQuery,
} from '../parts/parts.ts'
import { type Answer, type Handler, may, type Visit } from '../visit.ts'
import { deed, heldTo, type Question, unchanged } from './asking.ts'

/** One that is on, and of which the last delivery failed, is not well. */
const stateOf = ({ options }: Visit, { disabled, failingSince }: TriedWebhook): Html => {
  const { webhooks: texts } = options.texts
  if (disabled === undefined)
    return failingSince === undefined ? badge('good', texts.enabled) : badge('bad', texts.failing)
  return badge(disabled.because === 'by-hand' ? 'off' : 'bad', texts.disabled[disabled.because])
}

const list: Handler = async (visit) => {
  const { options, caller, query } = visit
  const { webhooks: texts } = options.texts
  const cursor = query.get('cursor') ?? undefined
  const { items, next } = await options.useCases.listWebhooks.execute({ cursor, limit: ROWS }, caller)
  const content = html`${doneNotice(visit)}
${actions([may(visit, 'webhooks:write') && link('/webhooks/-/new', texts.create)])}
${table(
  texts.title,
  [
    { head: texts.name, cell: ({ name }) => link(at('webhooks', name), name) },
    { head: texts.state, cell: (each) => stateOf(visit, each) },
    { head: texts.failingSince, cell: ({ failingSince }) => time(failingSince) },
    { head: texts.url, cell: ({ url }) => long(url) },
    { head: texts.updated, cell: ({ updatedAt }) => time(updatedAt) },
  ],
  items,
  texts.nothing,
)}${pager(visit, next)}`
  return { page: { title: texts.title, content } }
}

const stored = ({ options, caller, params }: Visit): Promise<TriedWebhook> =>
  options.useCases.getWebhook.execute({ name: params.name ?? '' }, caller)

/** As much as tells one answer from another. */
const MOST_SAID = 120

const shortened = (head: string): string =>
  head.length <= MOST_SAID ? head : `${head.slice(0, MOST_SAID).toWellFormed()}…`

/** What of it waits is not counted further. */
const FEW = 50

const answers = (visit: Visit, name: string, all: readonly WebhookAnswer[]): Html => {
  const { webhooks: texts } = visit.options.texts
  const outcome = ({ error, status }: WebhookAnswer) =>
    badge(error === undefined ? 'good' : 'bad', status === undefined ? texts.noAnswer : String(status))
  const again = ({ position, type }: WebhookAnswer) =>
    position > 0 &&
    may(visit, 'webhooks:write') &&
    button(at('webhooks', name, 'replay'), texts.replay, {
      kind: 'second',
      about: `${type} ${position}`,
      hidden: { position },
    })
  const older = visit.query.has('older')
  const shown = older ? all.slice(FULL_ROWS) : all.slice(0, FULL_ROWS)
  const path = at('webhooks', name)
  const turn = older ? link(path, texts.newer) : all.length > FULL_ROWS && link(`${path}?older`, texts.older)
  const made = table(
    texts.answers,
    [
      { head: texts.at, cell: (one) => time(one.at) },
      { head: texts.answer, cell: outcome },
      { head: texts.type, cell: ({ type }) => long(type) },
      { head: texts.subject, cell: ({ subject, position }) => position > 0 && code(subject) },
      { head: texts.attempt, isNumber: true, cell: ({ attempt }) => attempt },
      {
        head: texts.said,
        cell: ({ error, head }) =>
          html`${error}${head !== undefined && html` <code class="said">${shortened(head)}</code>`}`,
      },
      { head: texts.action, cell: again },
    ],
    shown,
    texts.noAnswers,
  )
  return html`${made}${turn && html`<nav class="pager" aria-label="${visit.options.texts.list.pages}">${turn}</nav>`}`
}

const show: Handler = async (visit) => {
  const { options, caller } = visit
  const { webhooks: texts } = options.texts
  const webhook = await stored(visit)
  const { name, url, types, disabled, failingSince, createdAt, updatedAt } = webhook
  const said = await options.useCases.listWebhookAnswers.execute({ name }, caller)
  const path = at('webhooks', name)
  const mayWrite = may(visit, 'webhooks:write')
  const waiting = { webhook: name, limit: FEW }
  const { items, next } = await options.useCases.listUndeliveredEvents.execute(waiting, caller)
  const count = countOrMore(visit, items.length, next !== undefined)
  const content = html`${doneNotice(visit)}
${actions([
  mayWrite && button(`${path}/test`, texts.test, { kind: 'second' }),
  mayWrite && link(`${path}/edit`, texts.edit),
  mayWrite && link(`${path}/rotate`, texts.rotate),
  mayWrite && html`<a class="grave" href="${path}/delete">${texts.delete}</a>`,
])}
${facts([
  [texts.url, long(url)],
  [texts.failingSince, time(failingSince)],
  [texts.since, time(disabled?.since)],
  [
    texts.deliveries,
    items.length > 0 &&
      html`${link(withQuery('/outbox/events', { webhook: name }), count)}, ${texts.oldest} ${time(items[0]?.createdAt)}`,
  ],
  [texts.types, types.length === EVENT_TYPES.length ? texts.allTypes : types.join(', ')],
  [texts.created, time(createdAt)],
  [texts.updated, time(updatedAt)],
])}
${mayWrite && items.some(({ parkedAt }) => parkedAt !== undefined) && html`<p>${texts.redeliverHint}</p>${actions([button(`${path}/redeliver`, texts.redeliver, { kind: 'second' })])}`}
<h2>${texts.answers}</h2>${answers(visit, name, said)}`
  const badges = stateOf(visit, webhook)
  return { page: { title: `${texts.oneTitle} ${name}`, heading: name, badges, content } }
}

const editing = (visit: Visit, webhook: Webhook | undefined): Question => {
  const { form, options } = visit
  const { webhooks: texts } = options.texts
  const sent = form.has('url')
  const wants = (type: string) =>
    sent ? form.all('type[]').includes(type) : (webhook?.types.some((each) => each === type) ?? true)
  return {
    title: webhook === undefined ? texts.create : texts.edit,
    ...(webhook !== undefined && { of: webhook.name, anew: visit.path }),
    about: webhook === undefined ? texts.createAbout : texts.editAbout,
    ...(webhook === undefined && { overtaken: { field: 'name', message: texts.taken } }),
    button: texts.save,
    back: webhook === undefined ? '/webhooks' : at('webhooks', webhook.name),
    fields: (
      problems,
    ) => html`${webhook === undefined ? field('name', texts.name, { value: form.text('name'), required: true, problems }) : heldTo(visit, webhook)}
${field('url', texts.url, { value: sent ? form.text('url') : webhook?.url, required: true, problems })}
${ticks('type', texts.types, EVENT_TYPES, wants, problems)}
${tick('enabled', texts.isEnabled, sent ? form.has('enabled') : webhook?.disabled === undefined)}`,
  }
}

/** The one time that a secret is shown. */
const secretPage = ({ options }: Visit, name: string, secret: string): Answer => {
  const { webhooks: texts } = options.texts
  const content: Html = html`${notice('hint', texts.secretHint)}<pre><code>${secret}</code></pre>
<p>${link(at('webhooks', name), texts.oneTitle)}</p>`
  return { page: { title: texts.secret, content } }
}

const save = async (visit: Visit, webhook: Webhook | undefined): Promise<Answer> => {
  const { options, caller, form } = visit
  const name = webhook?.name ?? form.text('name')
  const types = form.all('type[]')
  // To the core, none is all of them.
  if (types.length === 0) throw new InvalidInput([{ field: 'type', message: options.texts.webhooks.noTypes }])
  const command = {
    name,
    url: form.text('url'),
    types,
    enabled: form.has('enabled'),
    precondition: unchanged(visit, webhook),
  }
  const { secret } = await options.useCases.putWebhook.execute(command, caller)
  return secret === undefined ? { to: `${at('webhooks', name)}?done=saved` } : secretPage(visit, name, secret)
}

const asking = (what: 'delete' | 'rotate', work: (visit: Visit, webhook: Webhook) => Promise<Answer>) =>
  deed<Webhook>(`/webhooks/{name}/${what}`, what === 'delete' ? DeleteWebhookUseCase : RotateWebhookSecretUseCase, {
    subject: stored,
    question: ({ options }, { name, url }) => {
      const { webhooks: texts } = options.texts
      return {
        title: texts[what],
        of: name,
        about: html`<p>${texts.asks[what]}</p>${facts([
          [texts.name, name],
          [texts.url, url],
        ])}`,
        button: texts[what],
        back: at('webhooks', name),
        ...(what === 'delete' && { kind: 'grave' }),
      }
    },
    work,
  })

const remove = async ({ options, caller }: Visit, { name }: Webhook): Promise<Answer> => {
  await options.useCases.deleteWebhook.execute({ name }, caller)
  return { to: '/webhooks?done=webhookDeleted' }
}

const rotate = async (visit: Visit, { name }: Webhook): Promise<Answer> => {
  const { secret } = await visit.options.useCases.rotateWebhookSecret.execute({ name }, visit.caller)
  return secretPage(visit, name, secret)
}

/** Says that it goes out now, or once the webhook is on. */
const goingOut = async (visit: Visit, done: 'retried' | 'replayed'): Promise<Answer> => {
  const { name, disabled } = await stored(visit)
  return { to: `${at('webhooks', name)}?done=${disabled === undefined ? done : 'waits'}` }
}

const redeliver: Handler = async (visit) => {
  const { options, caller, params } = visit
  const name = params.name ?? ''
  const { retried } = await options.useCases.redeliverEvents.execute({ name, parked: true }, caller)
  return retried > 0 ? await goingOut(visit, 'retried') : { to: `${at('webhooks', name)}?done=gone` }
}

const test: Handler = async ({ options, caller, params }) => {
  const name = params.name ?? ''
  const { error } = await options.useCases.testWebhook.execute({ name }, caller)
  return { to: `${at('webhooks', name)}?done=${error === undefined ? 'tested' : 'testedInVain'}` }
}

const replay: Handler = async (visit) => {
  const { options, caller, params, form } = visit
  const name = params.name ?? ''
  const position = /^\d{1,15}$/.test(form.text('position')) ? Number(form.text('position')) : 0
  await options.useCases.replayEvent.execute({ name, position }, caller)
  return await goingOut(visit, 'replayed')
}

export const webhookScreens: Readonly<Record<string, Handler>> = {
  'GET /webhooks': list,
  ...deed('/webhooks/-/new', PutWebhookUseCase, { question: editing, work: save }),
  'GET /webhooks/{name}': show,
  ...deed('/webhooks/{name}/edit', PutWebhookUseCase, { subject: stored, question: editing, work: save }),
  ...asking('delete', remove),
  ...asking('rotate', rotate),
  'POST /webhooks/{name}/redeliver': redeliver,
  'POST /webhooks/{name}/replay': replay,
  'POST /webhooks/{name}/test': test,
}
