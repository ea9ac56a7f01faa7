import { consentEntry } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { list } from '../representations/list.ts'
import { sendRepresentation } from '../send.ts'

/** The whole ledger of a subscription, oldest first. */
export const getConsent =
  ({ useCases, now = Date.now }: HttpOptions): Step =>
  async (ctx) => {
    const subscriptionId = pathParameter(ctx, 'subscriptionId')
    const { consents } = await useCases.getEvidence.execute({ subscriptionId }, callerOf(ctx))
    const body = JSON.stringify(list({ items: consents, next: undefined }, consentEntry))
    sendRepresentation(ctx, { body, audience: 'private', now: now() })
  }
