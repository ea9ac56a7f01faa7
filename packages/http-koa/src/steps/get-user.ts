import { userRecord } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendRepresentation } from '../send.ts'

export const getUser =
  ({ useCases, now = Date.now }: HttpOptions): Step =>
  async (ctx) => {
    const user = await useCases.getUser.execute({ userId: pathParameter(ctx, 'userId') }, callerOf(ctx))
    const body = JSON.stringify(userRecord(user))
    sendRepresentation(ctx, { body, audience: 'private', lastModified: user.updatedAt, now: now() })
  }
