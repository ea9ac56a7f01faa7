import type { AppMiddleware } from '../exchange.ts'
import { HttpError } from '../http-error.ts'
import { EVERY_METHOD } from '../methods.ts'
import { sendNothing } from '../send.ts'

/** What a path does with methods that it has no handler for: it says which methods it has. */
export const methodNotAllowed = (allowed: readonly string[]): AppMiddleware => {
  const allow = allowed.join(', ')
  return (ctx) => {
    if (ctx.method === 'OPTIONS') {
      ctx.res.setHeader('Allow', allow)
      sendNothing(ctx)
    } else throw new HttpError('MethodNotAllowed', `Use one of these methods here: ${allow}.`, { Allow: allow })
  }
}

const refuseTrace = methodNotAllowed(EVERY_METHOD.filter((method) => method !== 'TRACE'))

/** If TRACE is off, it is off on every path. */
export const traceNotAllowed: AppMiddleware = (ctx, next) => (ctx.method === 'TRACE' ? refuseTrace(ctx, next) : next())

/** The last middleware of the application: no route took the request. */
export const notFound: AppMiddleware = () => {
  throw new HttpError('NotFound', 'There is nothing at this path. Check it, or see /openapi.json for all paths.')
}
