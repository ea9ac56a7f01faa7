import type { AppStep } from '../exchange.ts'
import { EVERY_METHOD } from '../methods.ts'
import { sendNothing } from '../send.ts'

const ALLOW = EVERY_METHOD.join(', ')

/** `OPTIONS *`: what the server as a whole takes (RFC 9110 section 9.3.7). */
export const describeServer: AppStep = (ctx, next) => {
  if (ctx.url !== '*') return next()
  ctx.res.setHeader('Allow', ALLOW)
  sendNothing(ctx)
  return undefined
}
