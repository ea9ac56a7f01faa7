import {
  DeleteUserUseCase,
  publishedReceipt,
  ReceiptNotFound,
  RestoreUserUseCase,
  type User,
  UserDeleted,
} from '@rollcall/core'
import { html } from '@rollcall/platform-node'
import { radios } from '../parts/fields.ts'
import { actions, at, code, doneNotice, facts, link, notice, time } from '../parts/parts.ts'
import { type Answer, type Handler, may, type Visit } from '../visit.ts'
import { deed, heldTo, type Question, reasonIn, unchanged } from './asking.ts'

/** What is left of a user who was deleted, for those who must prove it. */
export const receipt = async (visit: Visit): Promise<Answer> => {
  const { options, caller, params } = visit
  const { receipt: texts, users } = options.texts
  const userId = params.id ?? ''
  const found = await options.useCases.getErasureReceipt.execute({ userId }, caller).catch((error: unknown) => {
    if (error instanceof ReceiptNotFound) throw new UserDeleted()
    throw error
  })
  const record = publishedReceipt(found)
  const { tombstone } = found
  const isHeld = tombstone.erasesAt !== undefined && tombstone.erasesAt > (options.now?.() ?? Date.now())
  const content = html`${doneNotice(visit)}${notice('hint', isHeld ? texts.held : texts.erased)}
${actions([isHeld && may(visit, 'users:restore') && link(`${at('users', userId)}/restore`, texts.restore)])}
${facts([
  [users.id, code(userId)],
  [texts.at, time(tombstone.deletedAt)],
  [texts.by, record.deleted_by ?? undefined],
  [texts.channel, record.channel ?? undefined],
  [texts.reason, record.reason ?? undefined],
  [
    texts.record,
    record.audit_sequence === null ? '–' : link(`/audit?before=${record.audit_sequence + 1}`, record.audit_sequence),
  ],
  [texts.erasesAt, time(tombstone.erasesAt)],
  [texts.counts, Object.entries(record.erased).map(([what, count]) => html`${what}: ${count}<br>`)],
])}
<h2>${texts.kept}</h2><ul>${record.kept.map(({ what, why }) => html`<li><b>${what}</b>: ${why}</li>`)}</ul>`
  return { page: { title: `${texts.title}: ${userId}`, content, status: 410 } }
}

const deletion = async (visit: Visit): Promise<{ question: Question; user: User }> => {
  const { options, caller, params, form } = visit
  const { user: texts, users: words } = options.texts
  const userId = params.id ?? ''
  const planned = await options.useCases.planUserChanges.execute({ change: 'delete', rows: [{ id: userId }] }, caller)
  const { user, subscriptions = 0, refusal } = planned.rows[0] ?? {}
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
  const count = form.has('count') ? form.text('count') : subscriptions
  const fields = () => html`${heldTo(visit, user)}
<input type="hidden" name="count" value="${count}">
${subscriptions > 0 && radios('subscriptions', texts.fate, choices, form.text('subscriptions') || 'keep')}`
  const back = at('users', userId)
  const question = {
    title: texts.delete,
    of: userId,
    about,
    button: texts.delete,
    back,
    anew: visit.path,
    fields,
    kind: 'grave',
    reason: 'optional',
  } as const
  return { question, user }
}

const erase = async (visit: Visit, { user }: { readonly user: User }): Promise<Answer> => {
  const { options, caller, params, form } = visit
  const userId = params.id ?? ''
  await options.useCases.deleteUser.execute(
    {
      userId,
      subscriptions: form.text('subscriptions') === 'erase' ? 'erase' : 'keep',
      reason: reasonIn(visit),
      subscriptionsExpected: Number(form.text('count')),
      precondition: unchanged(visit, user),
    },
    caller,
  )
  return { to: `${at('users', userId)}?done=deleted` }
}

const restoring = ({ options, params }: Visit): Question => {
  const { receipt: texts } = options.texts
  const of = params.id ?? ''
  return {
    ...{ title: texts.restore, of, about: texts.restoreAbout, button: texts.restore },
    ...{ reason: 'optional', back: at('users', of) },
  }
}

const restore = async (visit: Visit): Promise<Answer> => {
  const userId = visit.params.id ?? ''
  await visit.options.useCases.restoreUser.execute({ userId, reason: reasonIn(visit) }, visit.caller)
  return { to: `${at('users', userId)}?done=restored` }
}

export const userDeletionScreens: Readonly<Record<string, Handler>> = {
  ...deed('/users/{id}/delete', DeleteUserUseCase, {
    subject: deletion,
    question: (_, { question }) => question,
    work: erase,
  }),
  ...deed('/users/{id}/restore', RestoreUserUseCase, { question: restoring, work: restore }),
}
