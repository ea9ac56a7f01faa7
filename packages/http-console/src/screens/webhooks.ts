import { EVENT_TYPES, type Webhook } from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import { field, tick } from '../parts/fields.ts'
import {
  actions,
  at,
  button,
  code,
  doneNotice,
  facts,
  link,
  notice,
  pager,
  table,
  time,
  withQuery,
} from '../parts/parts.ts'
import { type Answer, type Handler, may, only, type Visit } from '../visit.ts'
import { answered, ask, type Question } from './asking.ts'

const stateOf = ({ options }: Visit, { disabled }: Webhook): string => {
  const { webhooks: texts } = options.texts
  return disabled === undefined ? texts.enabled : texts.disabled[disabled.because]
}

const list: Handler = async (visit) => {
  const { options, caller, query } = visit
  const { webhooks: texts } = options.texts
  const cursor = query.get('cursor') ?? undefined
  const { items, next } = await options.useCases.listWebhooks.execute({ cursor }, caller)
  const content = html`${doneNotice(visit)}
${actions([may(visit, 'webhooks:write') && link('/webhooks/-/new', texts.create)])}
${table(
  texts.title,
  [
    { head: texts.name, cell: ({ name }) => link(at('webhooks', name), name) },
    { head: texts.url, cell: ({ url }) => url },
    { head: texts.state, cell: (each) => stateOf(visit, each) },
    { head: texts.updated, cell: ({ updatedAt }) => time(updatedAt) },
  ],
  items,
  texts.nothing,
)}${pager(visit, next)}`
  return { page: { title: texts.title, content } }
}

const stored = ({ options, caller, params }: Visit): Promise<Webhook> =>
  options.useCases.getWebhook.execute({ name: params.name ?? '' }, caller)

const show: Handler = async (visit) => {
  const { webhooks: texts } = visit.options.texts
  const webhook = await stored(visit)
  const { name, url, types, disabled, createdAt, updatedAt } = webhook
  const path = at('webhooks', name)
  const content = html`${doneNotice(visit)}
${facts([
  [texts.name, code(name)],
  [texts.url, url],
  [texts.types, types.join(' ')],
  [texts.state, stateOf(visit, webhook)],
  [texts.since, time(disabled?.since)],
  [texts.created, time(createdAt)],
  [texts.updated, time(updatedAt)],
])}
${actions([
  may(visit, 'webhooks:write') && link(`${path}/edit`, texts.edit),
  may(visit, 'webhooks:write') && link(`${path}/rotate`, texts.rotate),
  may(visit, 'webhooks:write') && link(`${path}/delete`, texts.delete),
  link(withQuery('/outbox/events', { webhook: name }), texts.deliveries),
])}
${may(visit, 'webhooks:write') && html`<p>${texts.redeliverHint}</p>${button(`${path}/redeliver`, texts.redeliver, { kind: 'second' })}`}`
  return { page: { title: texts.oneTitle, content } }
}

const editing = (visit: Visit, webhook: Webhook | undefined): Question => {
  const { form, options } = visit
  const { webhooks: texts } = options.texts
  const sent = form.has('url')
  const wants = (type: string) =>
    sent ? form.all('type[]').includes(type) : (webhook?.types.some((each) => each === type) ?? true)
  return {
    title: webhook === undefined ? texts.create : texts.edit,
    about: webhook === undefined ? texts.createAbout : texts.editAbout,
    ...(webhook === undefined && { overtaken: { field: 'name', message: texts.taken } }),
    button: texts.save,
    back: webhook === undefined ? '/webhooks' : at('webhooks', webhook.name),
    fields: (
      problems,
    ) => html`${webhook === undefined ? field('name', texts.name, { value: form.text('name'), required: true, problems }) : html`<input type="hidden" name="updated" value="${webhook.updatedAt}">`}
${field('url', texts.url, { value: sent ? form.text('url') : webhook?.url, required: true, problems })}
<fieldset><legend>${texts.types}</legend>${EVENT_TYPES.map((type) => tick('type[]', type, wants(type), type))}</fieldset>
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

const save = async (visit: Visit, webhook: Webhook | undefined): Promise<Answer> =>
  await answered(visit, editing(visit, webhook), async () => {
    const { options, caller, form } = visit
    const name = webhook?.name ?? form.text('name')
    const precondition = (current: Webhook | undefined) =>
      webhook === undefined ? current === undefined : String(current?.updatedAt) === form.text('updated')
    const command = {
      name,
      url: form.text('url'),
      types: form.all('type[]'),
      enabled: form.has('enabled'),
      precondition,
    }
    const { secret } = await options.useCases.putWebhook.execute(command, caller)
    return secret === undefined ? { to: `${at('webhooks', name)}?done=saved` } : secretPage(visit, name, secret)
  })

const question = (visit: Visit, deed: 'delete' | 'rotate', { name, url }: Webhook): Question => {
  const { webhooks: texts } = visit.options.texts
  const about = html`<p>${texts.asks[deed]}</p>${facts([
    [texts.name, name],
    [texts.url, url],
  ])}`
  const back = at('webhooks', name)
  return {
    title: texts[deed],
    about,
    button: texts[deed],
    back,
    ...(deed === 'delete' && ({ kind: 'grave' } as const)),
  }
}

const asks =
  (deed: 'delete' | 'rotate'): Handler =>
  async (visit) =>
    ask(visit, question(visit, deed, await stored(visit)))

const remove: Handler = async ({ options, caller, params }) => {
  await options.useCases.deleteWebhook.execute({ name: params.name ?? '' }, caller)
  return { to: '/webhooks?done=webhookDeleted' }
}

const rotate: Handler = async (visit) => {
  const name = visit.params.name ?? ''
  const { secret } = await visit.options.useCases.rotateWebhookSecret.execute({ name }, visit.caller)
  return secretPage(visit, name, secret)
}

const redeliver: Handler = async ({ options, caller, params }) => {
  const name = params.name ?? ''
  await options.useCases.redeliverEvents.execute({ name, parked: true }, caller)
  return { to: `${at('webhooks', name)}?done=retried` }
}

export const webhookScreens: Readonly<Record<string, Handler>> = {
  'GET /webhooks': list,
  'GET /webhooks/-/new': only('webhooks:write', async (visit) => ask(visit, editing(visit, undefined))),
  'POST /webhooks/-/new': async (visit) => await save(visit, undefined),
  'GET /webhooks/{name}': show,
  'GET /webhooks/{name}/edit': async (visit) => ask(visit, editing(visit, await stored(visit))),
  'POST /webhooks/{name}/edit': async (visit) => await save(visit, await stored(visit)),
  'GET /webhooks/{name}/delete': asks('delete'),
  'POST /webhooks/{name}/delete': remove,
  'GET /webhooks/{name}/rotate': asks('rotate'),
  'POST /webhooks/{name}/rotate': rotate,
  'POST /webhooks/{name}/redeliver': redeliver,
}
