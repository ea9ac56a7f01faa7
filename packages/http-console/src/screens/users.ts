import {
  PutUserUseCase,
  ResumeUserUseCase,
  SuspendUserUseCase,
  type User,
  UserDeleted,
  userExportText,
} from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import { field, select, ticks } from '../parts/fields.ts'
import {
  actions,
  at,
  called,
  code,
  count,
  day,
  doneNotice,
  facts,
  link,
  long,
  pager,
  ROWS,
  table,
  time,
} from '../parts/parts.ts'
import { foundRows, narrowingIn, otherPages, searchForm } from '../parts/searching.ts'
import { statusBadge, userBadge } from '../parts/states.ts'
import { type Answer, type Handler, may, only, type Visit } from '../visit.ts'
import { deed, heldTo, type Question, reasonIn, unchanged } from './asking.ts'
import { receipt, userDeletionScreens } from './user-deletion.ts'

export const userTable = (visit: Visit, items: readonly User[]): Html => {
  const { users: texts } = visit.options.texts
  return table(
    texts.title,
    [
      { head: texts.who, cell: ({ id, name }) => link(at('users', id), long(called(name, id))) },
      { head: texts.id, cell: ({ id }) => code(id) },
      { head: texts.email, cell: ({ email }) => long(email) },
      { head: texts.roles, cell: ({ roles }) => roles.join(', ') },
      { head: texts.state, cell: (user) => userBadge(visit, user) },
      { head: texts.seen, cell: ({ lastSeenAt }) => day(lastSeenAt) },
      { head: texts.created, cell: ({ createdAt }) => time(createdAt) },
    ],
    items,
    texts.nothing,
  )
}

const SUSPENDED: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['no', false],
])

const lists =
  (isTyped: boolean): Handler =>
  async (visit) => {
    const { options, caller } = visit
    const { users: texts, user: words, list: common } = options.texts
    const narrowing = narrowingIn(visit, ['role', 'suspended'], isTyped)
    if (narrowing.to !== undefined) return { to: narrowing.to }
    const { query, cursor, filters } = narrowing
    const suspended = SUSPENDED.get(filters.suspended ?? '')
    const command = { role: filters.role, suspended, query, cursor, sort: 'newest', limit: ROWS }
    const { items, next, previous, total } = await options.useCases.listUsers.execute(command, caller)
    const roles = Object.fromEntries(options.useCases.access.table.roles.map((name) => [name, name]))
    const states = { '': common.any, no: words.active, yes: words.suspended }
    const selects = html`${select('role', texts.role, { '': common.any, ...roles }, filters.role)}
${select('suspended', texts.state, states, filters.suspended)}`
    const onwards = isTyped
      ? otherPages(visit, { next, previous }, { ...filters, query })
      : pager(visit, next, 'cursor', previous)
    const content = html`${doneNotice(visit)}
${actions([
  may(visit, 'users:write') && link('/users/-/new', texts.create),
  may(visit, 'users:delete') && link('/deletions', options.texts.nav.deletions),
  may(visit, 'users:restore') && link('/users/-/held', texts.held),
])}
${searchForm(visit, narrowing, selects)}
${count(visit, total)}${foundRows(visit, { items, next }, (all) => userTable(visit, all))}${onwards}`
    return { page: { title: texts.title, content } }
  }

/** Deleted users that can be restored, each with a link to its page. */
const held: Handler = async (visit) => {
  const { options, caller, query } = visit
  const { users: texts, receipt: words } = options.texts
  const cursor = query.get('cursor') ?? undefined
  const { items, next } = await options.useCases.listHeldUsers.execute({ cursor, limit: ROWS }, caller)
  const content = html`<p>${texts.heldAbout}</p>
${table(
  texts.held,
  [
    { head: texts.who, cell: ({ user: { id, name } }) => link(at('users', id), long(called(name, id))) },
    { head: texts.id, cell: ({ user }) => code(user.id) },
    { head: texts.email, cell: ({ user }) => long(user.email) },
    { head: words.at, cell: ({ deletedAt }) => time(deletedAt) },
    { head: words.erasesAt, cell: ({ erasesAt }) => time(erasesAt) },
  ],
  items,
  texts.noneHeld,
)}${pager(visit, next)}`
  return { page: { title: texts.held, content } }
}

const subscriptionsOf = async (visit: Visit, { email }: User): Promise<Html> => {
  const { options, caller } = visit
  const { user: texts, subscriptions: words } = options.texts
  const { items } = await options.useCases.listSubscriptions.execute({ email, limit: 200 }, caller)
  return html`<h2>${texts.subscriptions}</h2>
<p class="quiet">${texts.subscriptionsHint}</p>
${table(
  texts.subscriptions,
  [
    { head: words.feed, cell: ({ id, feed }) => link(at('subscriptions', id), feed) },
    { head: words.status, cell: ({ status }) => statusBadge(visit, status) },
    { head: words.created, cell: ({ createdAt }) => time(createdAt) },
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
${actions([
  may(visit, 'users:write') && link(`${path}/edit`, texts.edit),
  may(visit, 'users:suspend') &&
    (user.suspendedAt === undefined ? link(`${path}/suspend`, texts.suspend) : link(`${path}/resume`, texts.resume)),
  may(visit, 'users:export') && link(`${path}/export`, texts.export),
  may(visit, 'users:delete') && html`<a class="grave" href="${path}/delete">${texts.delete}</a>`,
])}
${facts([
  [words.id, code(user.id)],
  [words.name, user.name],
  [words.email, user.email],
  [words.roles, user.roles.join(', ') || texts.noRoles],
  [words.created, time(user.createdAt)],
  [texts.updated, time(user.updatedAt)],
  [texts.suspendedSince, time(user.suspendedAt)],
  [texts.seen, day(user.lastSeenAt)],
])}
${may(visit, 'subscriptions:read') && (await subscriptionsOf(visit, user))}`
    const title = `${texts.title} ${user.id}`
    return { page: { title, heading: called(user.name, user.id), badges: userBadge(visit, user), content } }
  } catch (error) {
    if (!(error instanceof UserDeleted)) throw error
    return await receipt(visit)
  }
}

const turning = (turn: 'suspend' | 'resume') =>
  deed(`/users/{id}/${turn}`, turn === 'suspend' ? SuspendUserUseCase : ResumeUserUseCase, {
    question: ({ options, params }) => {
      const { user: texts } = options.texts
      const of = params.id ?? ''
      return {
        ...{ title: texts[turn], of, about: texts[`${turn}About`], button: texts[turn] },
        ...{ reason: 'optional', back: at('users', of) },
      }
    },
    work: async (visit) => {
      const { suspendUser, resumeUser } = visit.options.useCases
      const command = { userId: visit.params.id ?? '', reason: reasonIn(visit) }
      await (turn === 'suspend' ? suspendUser : resumeUser).execute(command, visit.caller)
      return { to: `${at('users', command.userId)}?done=${turn === 'suspend' ? 'suspended' : 'resumed'}` }
    },
  })

/** With the values of the form, once there is one. */
const editing = (visit: Visit, user: User | undefined): Question => {
  const { options, form } = visit
  const { user: texts, users: words } = options.texts
  const given = (name: 'id' | 'name' | 'email') => (form.has('email') ? form.text(name) : user?.[name])
  const has = (role: string) => (form.has('email') ? form.all('role[]').includes(role) : user?.roles.includes(role))
  return {
    title: user === undefined ? words.create : texts.edit,
    ...(user !== undefined && { of: user.id, anew: visit.path }),
    about: user === undefined ? texts.createAbout : texts.editAbout,
    ...(user === undefined && { overtaken: { field: 'id', message: texts.taken } }),
    refusals: { EmailTaken: 'email', LastAdministrator: 'role', UserDeleted: 'id' },
    button: texts.save,
    back: user === undefined ? '/users' : at('users', user.id),
    fields: (
      problems,
    ) => html`${user === undefined ? field('id', words.id, { value: given('id'), required: true, problems }) : heldTo(visit, user)}
${field('name', words.name, { value: given('name'), problems })}
${field('email', words.email, { value: given('email'), type: 'email', required: true, problems })}
${ticks('role', words.roles, options.useCases.access.table.roles, has, problems)}`,
  }
}

const save = async (visit: Visit, user: User | undefined): Promise<Answer> => {
  const { options, caller, form } = visit
  const userId = user?.id ?? form.text('id')
  const [name, email] = [form.text('name'), form.text('email')]
  const command = { userId, name, email, roles: form.all('role[]'), precondition: unchanged(visit, user) }
  await options.useCases.putUser.execute(command, caller)
  return { to: `${at('users', userId)}?done=saved` }
}

const stored = ({ options, caller, params }: Visit) =>
  options.useCases.getUser.execute({ userId: params.id ?? '' }, caller)

const exported: Handler = async ({ options, caller, params }) => {
  const found = await options.useCases.exportUser.execute({ userId: params.id ?? '' }, caller)
  return { file: userExportText(found), type: 'application/json', name: 'user.json' }
}

export const userScreens: Readonly<Record<string, Handler>> = {
  'GET /users': lists(false),
  'POST /users': lists(true),
  ...deed('/users/-/new', PutUserUseCase, { question: editing, work: save }),
  'GET /users/-/held': only('users:restore', held),
  'GET /users/{id}': show,
  ...deed('/users/{id}/edit', PutUserUseCase, { subject: stored, question: editing, work: save }),
  ...turning('suspend'),
  ...turning('resume'),
  'GET /users/{id}/export': exported,
  ...userDeletionScreens,
}
