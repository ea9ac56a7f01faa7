import { receiptRecord } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendRepresentation } from '../send.ts'

export const getErasureReceipt =
  ({ useCases, now = Date.now }: HttpOptions): Step =>
  async (ctx) => {
    const command = { userId: pathParameter(ctx, 'userId') }
    const receipt = await useCases.getErasureReceipt.execute(command, callerOf(ctx))
    // No date: a deletion with a grace has two, and the first one does not change when the second comes.
    sendRepresentation(ctx, { body: JSON.stringify(receiptRecord(receipt)), audience: 'private', now: now() })
  }
