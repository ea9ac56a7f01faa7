import { webhookRecord } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendJson } from '../send.ts'

/** Answers with the webhook and its new secret, which no other answer tells. */
export const rotateWebhookSecret =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = { name: pathParameter(ctx, 'name'), revoke: fields.flag('revoke') }
    fields.assertGood()
    const { webhook, secret } = await useCases.rotateWebhookSecret.execute(command, callerOf(ctx))
    ctx.res.setHeader('Cache-Control', 'no-store')
    sendJson(ctx, 200, JSON.stringify({ ...webhookRecord(webhook), secret }))
  }
