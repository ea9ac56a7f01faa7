import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendNothing } from '../send.ts'

export const liftSuppression =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    await useCases.liftSuppression.execute({ address: pathParameter(ctx, 'address') }, callerOf(ctx))
    sendNothing(ctx)
  }
