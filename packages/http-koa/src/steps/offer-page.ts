import type { Step } from '../exchange.ts'

/** From here on, errors are pages to whoever prefers them. */
export const offerPage: Step = (ctx, next) => {
  ctx.state.rollcall.offersPage = true
  return next()
}
