import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { sendNothing } from '../send.ts'
import { userPrecondition } from './user-precondition.ts'

export const deleteUser =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const command = {
      userId: pathParameter(ctx, 'userId'),
      reason: query.text('reason'),
      subscriptions: query.choice('subscriptions', ['keep', 'erase']),
      subscriptionsExpected: query.count('subscriptions_expected'),
      precondition: userPrecondition(ctx.headers, query),
    }
    await useCases.deleteUser.execute(command, callerOf(ctx))
    sendNothing(ctx)
  }
