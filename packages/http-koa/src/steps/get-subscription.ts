import { subscriptionRecord } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendRepresentation } from '../send.ts'

export const getSubscription =
  ({ useCases, now = Date.now }: HttpOptions): Step =>
  async (ctx) => {
    const subscriptionId = pathParameter(ctx, 'subscriptionId')
    const subscription = await useCases.getSubscription.execute({ subscriptionId }, callerOf(ctx))
    const body = JSON.stringify(subscriptionRecord(subscription))
    // No date: name and locale of a pending one change without any of its times.
    sendRepresentation(ctx, { body, audience: 'private', now: now() })
  }
