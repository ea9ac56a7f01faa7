import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { sendNothing } from '../send.ts'
import { feedPrecondition } from './feed-precondition.ts'

/** Goes on to its end, whether or not the client waits for that. */
export const deleteFeed =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const command = {
      name: pathParameter(ctx, 'name'),
      subscriptions: query.choice('subscriptions', ['keep', 'erase']),
      reason: query.text('reason'),
      precondition: feedPrecondition(ctx.headers, query),
    }
    await useCases.deleteFeed.execute(command, callerOf(ctx))
    sendNothing(ctx)
  }
