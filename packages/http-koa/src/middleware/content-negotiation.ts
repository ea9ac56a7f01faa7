import type { Context, Handler } from '../exchange.ts'

/** Marks the endpoint as one that also speaks HTML, so that its errors do as well. */
export const offerPage: Handler = (ctx, next) => {
  ctx.state.rollcall.offersPage = true
  return next()
}

const JSON_FIRST = ['application/json', 'text/html']

/** Whether the client prefers HTML to JSON. Without a preference it gets JSON. */
export const prefersPage = (ctx: Context): boolean => {
  const { accept } = ctx.req.headers
  // Most programs send no Accept, or one without a text type: the negotiation can be skipped.
  return accept !== undefined && /text\//i.test(accept) && ctx.accepts(JSON_FIRST) === 'text/html'
}
