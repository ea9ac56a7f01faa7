import { userRecord } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendJson } from '../send.ts'

/** Undoes a deletion within its grace, and answers with the user as it is again. */
export const restoreUser =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = { userId: pathParameter(ctx, 'userId'), reason: fields.text('reason') }
    fields.assertGood()
    const user = await useCases.restoreUser.execute(command, callerOf(ctx))
    ctx.res.setHeader('Cache-Control', 'no-store')
    sendJson(ctx, 200, JSON.stringify(userRecord(user)))
  }
