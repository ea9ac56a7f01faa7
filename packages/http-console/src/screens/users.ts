import {
  auditEntryRecord,
  ReceiptNotFound,
  receiptRecord,
  subscriptionRecord,
  type User,
  UserDeleted,
  userRecord,
} from '@rollcall/core'
import { type Html, html } from '../html.ts'
import { field, radios, select, tick } from '../parts/fields.ts'
import { actions, at, code, doneNotice, facts, link, notice, pager, table, time } from '../parts/parts.ts'
import { type Answer, type Handler, may, type Visit } from '../visit.ts'
import { answered, ask, type Question, reasonIn } from './asking.ts'

const list: Handler = async (visit) => {
  const { options, caller, query } = visit
  const { users: texts, list: common } = options.texts
  const [role, cursor] = ['role', 'cursor'].map((name) => query.get(name) || undefined)
  const { items, next } = await options.useCases.listUsers.execute({ role, cursor }, caller)
  const roles = Object.fromEntries(options.useCases.access.policy.roles.map((name) => [name, name]))
  const content = html`${doneNotice(visit)}
<form class="row" method="get" action="/users">${select('role', texts.role, { '': texts.anyRole, ...roles }, role)}
<button type="submit" class="second">${common.filter}</button></form>
${actions([may(visit, 'users:write') && link('/users/-/new', texts.create)])}
${table(
  texts.title,
  [
    { head: texts.id, cell: ({ id }) => link(at('users', id), id) },
    { head: texts.name, cell: ({ name }) => name },
    { head: texts.email, cell: ({ email }) => email },
    { head: texts.roles, cell: (each) => each.roles.join(', ') },
    { head: texts.created, cell: ({ createdAt }) => time(createdAt) },
  ],
  items,
  texts.nothing,
)}${pager(visit, next)}`
  return { page: { title: texts.title, content } }
}

const subscriptionsOf = async ({ options, caller }: Visit, { email }: User): Promise<Html> => {
  const { user: texts, subscriptions: words } = options.texts
  const { items } = await options.useCases.listSubscriptions.execute({ email, limit: 200 }, caller)
  return html`<h2>${texts.subscriptions}</h2>
<p class="quiet">${texts.subscriptionsHint}</p>
${table(
  texts.subscriptions,
  [
    { head: words.feed, cell: ({ feed }) => feed },
    { head: words.status, cell: ({ status }) => words.statuses[status] },
    { head: words.id, cell: ({ id }) => link(at('subscriptions', id), id) },
  ],
  items,
  words.nothing,
)}`
}

const show: Handler = async (visit) => {
  const { options, caller, params } = visit
  const { user: texts, users: words } = options.texts
  const userId = params.id ?? ''
  try {
    const user = await options.useCases.getUser.execute({ userId }, caller)
    const path = at('users', userId)
    const content = html`${doneNotice(visit)}
${facts([
  [words.id, code(user.id)],
  [words.name, user.name],
  [words.email, user.email],
  [words.roles, user.roles.join(', ') || texts.noRoles],
  [words.created, time(user.createdAt)],
  [texts.updated, time(user.updatedAt)],
])}
${actions([
  may(visit, 'users:write') && link(`${path}/edit`, texts.edit),
  may(visit, 'users:export') && link(`${path}/export`, texts.export),
  may(visit, 'users:delete') && link(`${path}/delete`, texts.delete),
])}
${may(visit, 'subscriptions:read') && (await subscriptionsOf(visit, user))}`
    return { page: { title: texts.title, content } }
  } catch (error) {
    if (!(error instanceof UserDeleted)) throw error
    return await receipt(visit)
  }
}

/** What is left of a user who was deleted, for those who must prove it. */
const receipt = async (visit: Visit): Promise<Answer> => {
  const { options, caller, params } = visit
  const { receipt: texts, users } = options.texts
  const userId = params.id ?? ''
  const found = await options.useCases.getErasureReceipt.execute({ userId }, caller).catch((error: unknown) => {
    if (error instanceof ReceiptNotFound) throw new UserDeleted()
    throw error
  })
  const record = receiptRecord(found)
  const { tombstone } = found
  const content = html`${doneNotice(visit)}${notice('hint', tombstone.erasesAt === undefined ? texts.erased : texts.held)}
${facts([
  [users.id, code(userId)],
  [texts.at, time(tombstone.deletedAt)],
  [texts.by, record.deleted_by ?? undefined],
  [texts.channel, record.channel ?? undefined],
  [texts.reason, record.reason ?? undefined],
  [texts.record, link(`/audit?after=${tombstone.audit - 1}`, tombstone.audit)],
  [texts.erasesAt, time(tombstone.erasesAt)],
  [texts.counts, Object.entries(record.erased).map(([what, count]) => html`${what}: ${count}<br>`)],
])}
<h2>${texts.kept}</h2><ul>${record.kept.map(({ what, why }) => html`<li><b>${what}</b>: ${why}</li>`)}</ul>
${actions([tombstone.erasesAt !== undefined && may(visit, 'users:restore') && link(`${at('users', userId)}/restore`, texts.restore)])}`
  return { page: { title: texts.title, content, status: 410 } }
}

const deletion = async (visit: Visit): Promise<{ question: Question; user: User }> => {
  const { options, caller, params, form } = visit
  const { user: texts, users: words } = options.texts
  const userId = params.id ?? ''
  const { user, subscriptions, refusal } = await options.useCases.planUserDeletion.execute({ userId }, caller)
  if (user === undefined) throw refusal ?? new UserDeleted()
  const choices = { keep: texts.keep, erase: texts.erase }
  const about = html`<p>${options.deleteGrace > 0 ? texts.deleteHeld : texts.deleteAbout}</p>
${refusal && notice('alarm', refusal.message)}
${facts([
  [words.id, code(user.id)],
  [words.name, user.name],
  [words.email, user.email],
  [words.roles, user.roles.join(', ')],
  [texts.subscriptions, subscriptions],
])}`
  const fields = () => html`<input type="hidden" name="updated" value="${user.updatedAt}">
<input type="hidden" name="count" value="${subscriptions}">
${subscriptions > 0 && radios('subscriptions', texts.fate, choices, form.text('subscriptions') || 'keep')}`
  const back = at('users', userId)
  const question = {
    title: texts.delete,
    about,
    button: texts.delete,
    back,
    fields,
    kind: 'grave',
    reason: 'optional',
  } as const
  return { question, user }
}

const erase: Handler = async (visit) => {
  const { question } = await deletion(visit)
  return await answered(visit, question, async () => {
    const { options, caller, params, form } = visit
    const userId = params.id ?? ''
    const subscriptions = form.text('subscriptions') === 'erase' ? 'erase' : 'keep'
    await options.useCases.deleteUser.execute(
      {
        ...{ userId, subscriptions, reason: reasonIn(visit) },
        ...(subscriptions === 'erase' && { subscriptionsExpected: Number(form.text('count')) }),
        precondition: (current) => String(current?.updatedAt) === form.text('updated'),
      },
      caller,
    )
    return { to: `${at('users', userId)}?done=deleted` }
  })
}

const restoring = ({ options, params }: Visit): Question => {
  const { receipt: texts } = options.texts
  const about = html`<p>${texts.restoreAbout}</p><p>${code(params.id ?? '')}</p>`
  return { title: texts.restore, about, button: texts.restore, reason: 'optional', back: at('users', params.id ?? '') }
}

const restore: Handler = async (visit) =>
  await answered(visit, restoring(visit), async () => {
    const userId = visit.params.id ?? ''
    await visit.options.useCases.restoreUser.execute({ userId, reason: reasonIn(visit) }, visit.caller)
    return { to: `${at('users', userId)}?done=restored` }
  })

/** With the values of the form, once there is one. */
const editing = (visit: Visit, user: User | undefined): Question => {
  const { options, form } = visit
  const { user: texts, users: words } = options.texts
  const given = (name: 'id' | 'name' | 'email') => (form.has('email') ? form.text(name) : user?.[name])
  const has = (role: string) => (form.has('email') ? form.all('role').includes(role) : user?.roles.includes(role))
  return {
    title: user === undefined ? words.create : texts.edit,
    about: texts.editAbout,
    button: texts.save,
    back: user === undefined ? '/users' : at('users', user.id),
    fields: (
      problems,
    ) => html`${user === undefined ? field('id', words.id, { value: given('id'), required: true, problems }) : html`<input type="hidden" name="updated" value="${user.updatedAt}">`}
${field('name', words.name, { value: given('name'), problems })}
${field('email', words.email, { value: given('email'), type: 'email', required: true, problems })}
<fieldset><legend>${words.roles}</legend>${options.useCases.access.policy.roles.map((role) => tick('role', role, has(role), role))}</fieldset>`,
  }
}

const save = async (visit: Visit, user: User | undefined): Promise<Answer> =>
  await answered(visit, editing(visit, user), async () => {
    const { options, caller, form } = visit
    const userId = user?.id ?? form.text('id')
    const [name, email] = [form.text('name'), form.text('email')]
    const precondition = (current: User | undefined) =>
      user === undefined ? current === undefined : String(current?.updatedAt) === form.text('updated')
    await options.useCases.putUser.execute({ userId, name, email, roles: form.all('role'), precondition }, caller)
    return { to: `${at('users', userId)}?done=saved` }
  })

const stored = ({ options, caller, params }: Visit) =>
  options.useCases.getUser.execute({ userId: params.id ?? '' }, caller)

const exported: Handler = async ({ options, caller, params }) => {
  const { user, subscriptions, audit } = await options.useCases.exportUser.execute({ userId: params.id ?? '' }, caller)
  async function* pieces() {
    yield `{"user":${JSON.stringify(userRecord(user))},"subscriptions":${JSON.stringify(subscriptions.map(subscriptionRecord))},"audit":[`
    let separator = ''
    for await (const record of audit) {
      yield `${separator}\n${JSON.stringify(auditEntryRecord(record))}`
      separator = ','
    }
    yield ']}\n'
  }
  return { file: pieces(), type: 'application/json', name: 'user.json' }
}

export const userScreens: Readonly<Record<string, Handler>> = {
  'GET /users': list,
  'GET /users/-/new': async (visit) => ask(visit, editing(visit, undefined)),
  'POST /users/-/new': async (visit) => await save(visit, undefined),
  'GET /users/{id}': show,
  'GET /users/{id}/edit': async (visit) => ask(visit, editing(visit, await stored(visit))),
  'POST /users/{id}/edit': async (visit) => await save(visit, await stored(visit)),
  'GET /users/{id}/delete': async (visit) => ask(visit, (await deletion(visit)).question),
  'POST /users/{id}/delete': erase,
  'GET /users/{id}/restore': async (visit) => ask(visit, restoring(visit)),
  'POST /users/{id}/restore': restore,
  'GET /users/{id}/export': exported,
}
