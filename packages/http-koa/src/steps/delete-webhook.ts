import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { sendNothing } from '../send.ts'
import { webhookPrecondition } from './webhook-precondition.ts'

export const deleteWebhook =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const precondition = webhookPrecondition(ctx.headers, fieldsOfQuery(ctx.querystring))
    await useCases.deleteWebhook.execute({ name: pathParameter(ctx, 'name'), precondition }, callerOf(ctx))
    sendNothing(ctx)
  }
