import {
  receiptRecord,
  type User,
  type UserExport,
  userExportLists,
  userExportRecord,
  userRecord,
  userState,
} from '@rollcall/core'
import { preconditionOn, type Resource } from '../conditional-request.ts'
import { callerOf, type Handler, pathParameter } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { mergePatch } from '../reading/merge-patch.ts'
import { sendChanged, sendCreated, sendNothing, sendResult, sendStream } from '../send.ts'
import { getHandler, listHandler, sortingOf } from './resource.ts'

const USER: Resource<User> = { record: userRecord, state: userState, lastModified: ({ updatedAt }) => updatedAt }

export const listUsers = (options: HttpOptions): Handler =>
  listHandler(
    options,
    ({ listUsers }) => listUsers,
    (query) => ({
      query: query.text('query'),
      role: query.text('role'),
      suspended: query.flag('suspended'),
      inactiveSince: query.text('inactive_since'),
      ...sortingOf(query),
    }),
    userRecord,
  )

export const getUser = (options: HttpOptions): Handler => getHandler(options, USER, ({ getUser }) => getUser, 'userId')

export const putUser =
  ({ useCases, publicUrl }: HttpOptions): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = {
      userId: pathParameter(ctx, 'userId'),
      email: fields.requiredText('email'),
      name: fields.requiredText('name'),
      roles: fields.requiredTexts('roles'),
      precondition: preconditionOn(USER, ctx, fields),
    }
    const { user, created } = await useCases.putUser.execute(command, callerOf(ctx))
    if (created) sendCreated(ctx, publicUrl, `/users/${encodeURIComponent(user.id)}`, userRecord(user))
    else sendNothing(ctx)
  }

export const patchUser =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const patch = mergePatch(fields)
    const command = {
      userId: pathParameter(ctx, 'userId'),
      email: patch.keptText('email'),
      name: patch.keptText('name'),
      roles: patch.keptTexts('roles'),
      precondition: preconditionOn(USER, ctx, fields),
    }
    const user = await useCases.patchUser.execute(command, callerOf(ctx))
    sendChanged(ctx, userRecord(user), userState(user))
  }

export const deleteUser =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const command = {
      userId: pathParameter(ctx, 'userId'),
      reason: query.text('reason'),
      subscriptions: query.choice('subscriptions', ['keep', 'erase']),
      subscriptionsExpected: query.count('subscriptions_expected'),
      precondition: preconditionOn(USER, ctx, query),
    }
    await useCases.deleteUser.execute(command, callerOf(ctx))
    sendNothing(ctx)
  }

/** Undoes a deletion within its grace period, and answers with the restored user. */
export const restoreUser =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = { userId: pathParameter(ctx, 'userId'), reason: fields.text('reason') }
    fields.assertGood()
    const user = await useCases.restoreUser.execute(command, callerOf(ctx))
    sendResult(ctx, userRecord(user))
  }

/** Takes access from a user or gives it back, and answers with the user. */
export const changeSuspension =
  ({ useCases }: HttpOptions, change: 'resumeUser' | 'suspendUser'): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = {
      userId: pathParameter(ctx, 'userId'),
      reason: fields.text('reason'),
      precondition: preconditionOn(USER, ctx, fields),
    }
    sendResult(ctx, userRecord(await useCases[change].execute(command, callerOf(ctx))))
  }

// No date: a deletion with a grace period has two, and the first does not change when the second is set.
export const getErasureReceipt = (options: HttpOptions): Handler =>
  getHandler(options, { record: receiptRecord }, ({ getErasureReceipt }) => getErasureReceipt, 'userId')

/** Everything stored about a user, as one JSON document. It is streamed because the user's audit trail may be long. */
export const exportUser =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const found = await useCases.exportUser.execute({ userId: pathParameter(ctx, 'userId') }, callerOf(ctx))
    ctx.res.setHeader('Content-Disposition', 'attachment; filename="user.json"')
    await sendStream(ctx, { type: 'application/json', cacheControl: 'private, no-store', pieces: documentOf(found) })
  }

async function* documentOf(found: UserExport): AsyncGenerator<string> {
  yield JSON.stringify(userExportRecord(found)).slice(0, -1)
  for (const [name, records] of Object.entries(userExportLists(found))) {
    yield `,"${name}":[`
    yield* elementsOf(records)
    yield ']'
  }
  yield '}'
}

async function* elementsOf(records: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = ''
  for await (const record of records) {
    yield `${separator}${JSON.stringify(record)}`
    separator = ','
  }
}
