import { redeliveryRecord } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendJson } from '../send.ts'

export const redeliverEvents =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = {
      name: pathParameter(ctx, 'name'),
      after: fields.text('after'),
      since: fields.text('since'),
      parked: fields.flag('parked'),
    }
    fields.assertGood()
    const redelivery = await useCases.redeliverEvents.execute(command, callerOf(ctx))
    ctx.res.setHeader('Cache-Control', 'no-store')
    sendJson(ctx, 200, JSON.stringify(redeliveryRecord(redelivery)))
  }
