import type { AppStep } from '../exchange.ts'
import { HttpError } from '../http-error.ts'
import { sendNothing } from '../send.ts'

/** What a path does with the methods it has no steps for: tells which it has. */
export const refuseMethod = (allowed: readonly string[]): AppStep => {
  const allow = allowed.join(', ')
  return (ctx) => {
    if (ctx.method === 'OPTIONS') {
      ctx.res.setHeader('Allow', allow)
      sendNothing(ctx)
    } else throw new HttpError('MethodNotAllowed', `Use one of these methods here: ${allow}.`, { Allow: allow })
  }
}
