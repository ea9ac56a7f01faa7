import { subscriptionRecord } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendJson } from '../send.ts'
import { subscriptionPrecondition } from './subscription-precondition.ts'

/** Confirms or ends a subscription for its owner, and answers with the subscription as it is then. */
export const actOnBehalf =
  ({ useCases }: HttpOptions, deed: 'confirmOnBehalf' | 'endOnBehalf'): Step =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = {
      subscriptionId: pathParameter(ctx, 'subscriptionId'),
      reason: fields.requiredText('reason'),
      precondition: subscriptionPrecondition(ctx.headers, fields),
    }
    const { subscription } = await useCases[deed].execute(command, callerOf(ctx))
    ctx.res.setHeader('Cache-Control', 'no-store')
    sendJson(ctx, 200, JSON.stringify(subscriptionRecord(subscription)))
  }
