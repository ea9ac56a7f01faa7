import type { Context } from '../exchange.ts'
import { EVERY_METHOD } from '../methods.ts'
import { sendNothing } from '../send.ts'

const ALLOW = EVERY_METHOD.join(', ')

/** `OPTIONS *`: what the server as a whole takes (RFC 9110 section 9.3.7). */
export const describeServer = (ctx: Context): void => {
  ctx.res.setHeader('Allow', ALLOW)
  sendNothing(ctx)
}
