import { webhookRecord } from '@rollcall/core'
import { basePathOf } from '../base-path.ts'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendCreated, sendNothing } from '../send.ts'
import { webhookPrecondition } from './webhook-precondition.ts'

/** The answer that creates one is the only one that tells its secret. */
export const putWebhook = ({ useCases, publicUrl }: HttpOptions): Step => {
  const base = basePathOf(publicUrl)
  return async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = {
      name: pathParameter(ctx, 'name'),
      url: fields.text('url'),
      types: fields.texts('types'),
      enabled: fields.flag('enabled'),
      precondition: webhookPrecondition(ctx.headers, fields),
    }
    const { webhook, created, secret } = await useCases.putWebhook.execute(command, callerOf(ctx))
    const body = () => JSON.stringify({ ...webhookRecord(webhook), secret })
    if (created) sendCreated(ctx, `${base}/webhooks/${webhook.name}`, body())
    else sendNothing(ctx)
  }
}
