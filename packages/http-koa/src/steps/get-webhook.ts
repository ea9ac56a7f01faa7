import { webhookRecord } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendRepresentation } from '../send.ts'

export const getWebhook =
  ({ useCases, now = Date.now }: HttpOptions): Step =>
  async (ctx) => {
    const webhook = await useCases.getWebhook.execute({ name: pathParameter(ctx, 'name') }, callerOf(ctx))
    const body = JSON.stringify(webhookRecord(webhook))
    sendRepresentation(ctx, { body, audience: 'private', lastModified: webhook.updatedAt, now: now() })
  }
