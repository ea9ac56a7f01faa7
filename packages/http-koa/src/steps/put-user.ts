import { userRecord } from '@rollcall/core'
import { basePathOf } from '../base-path.ts'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendCreated, sendNothing } from '../send.ts'
import { userPrecondition } from './user-precondition.ts'

export const putUser = ({ useCases, publicUrl }: HttpOptions): Step => {
  const base = basePathOf(publicUrl)
  return async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = {
      userId: pathParameter(ctx, 'userId'),
      email: fields.requiredText('email'),
      name: fields.requiredText('name'),
      roles: fields.requiredTexts('roles'),
      precondition: userPrecondition(ctx.headers, fields),
    }
    const { user, created } = await useCases.putUser.execute(command, callerOf(ctx))
    if (created) sendCreated(ctx, `${base}/users/${encodeURIComponent(user.id)}`, JSON.stringify(userRecord(user)))
    else sendNothing(ctx)
  }
}
