import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { sendNothing } from '../send.ts'
import { subscriptionPrecondition } from './subscription-precondition.ts'

export const eraseSubscription =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const command = {
      subscriptionId: pathParameter(ctx, 'subscriptionId'),
      reason: query.text('reason'),
      precondition: subscriptionPrecondition(ctx.headers, query),
    }
    await useCases.eraseSubscription.execute(command, callerOf(ctx))
    sendNothing(ctx)
  }
