import { FORM_RELAY, InvalidInput } from '@rollcall/core'
import { isVisitorNamed, nameVisitor } from '../client-address.ts'
import type { Handler, RouteContext } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { authenticate, authorize } from './access.ts'

const FIELD = 'Visitor-Address'

/** Lets a site's own server name the visitor whose form it passes on: limits, and the evidence of consent, go by that. */
export const takeVisitor = (options: HttpOptions): Handler => {
  const steps = [authenticate(options), authorize(options, FORM_RELAY)]
  return async (ctx, next) => {
    const address = ctx.req.headers[FIELD.toLowerCase()]
    if (address === undefined) return await next()
    for (const step of steps) await step(ctx, async () => undefined)
    if (typeof address === 'string') nameVisitor(ctx.req, address)
    return await next()
  }
}

/**
 * To be asked once the body was read: what is wrong with that comes first.
 * @throws {InvalidInput} a visitor was to be named, and was not
 */
export const requireVisitor = ({ req }: Pick<RouteContext, 'req'>): void => {
  if (req.headers[FIELD.toLowerCase()] === undefined || isVisitorNamed(req)) return
  const message = "Give the visitor's address and nothing else, such as 203.0.113.7."
  throw new InvalidInput([{ field: FIELD, message }])
}
