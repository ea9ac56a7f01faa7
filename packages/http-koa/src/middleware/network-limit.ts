import { networkKeyOf } from '../client-address.ts'
import type { Handler, RouteContext } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { seconds, tooManyRequests } from './rate-limit.ts'

type LimitOptions = Pick<HttpOptions, 'funnel' | 'networkLimiter' | 'trustProxy'>

interface NetworkLimit {
  /** Refuses a network that has named too many addresses, before the body is read. */
  readonly refuse: Handler
  /** Counts the address in the body, whatever is known of it. */
  readonly count: Handler
}

/**
 * Limits how many different addresses the forms of a network name. How many are left is never said: it would tell whether
 * the network has named an address before.
 */
export const limitNetwork = ({ networkLimiter, trustProxy, funnel }: LimitOptions): NetworkLimit => {
  if (networkLimiter === undefined) return { refuse: pass, count: pass }
  const policy = `"addresses";q=${networkLimiter.quota};w=${seconds(networkLimiter.window)}`
  const check = ({ res }: RouteContext, refusedFor: number): void => {
    if (refusedFor <= 0) return
    const wait = seconds(refusedFor)
    res.appendHeader('RateLimit-Policy', policy)
    res.appendHeader('RateLimit', `"addresses";r=0;t=${wait}`)
    funnel?.turnedAway('network-limit')
    throw tooManyRequests(wait)
  }
  return {
    refuse: (ctx, next) => {
      check(ctx, networkLimiter.refusedFor(networkKeyOf(ctx.req, trustProxy)))
      return next()
    },
    count: async (ctx, next) => {
      const email = ctx.state.rollcall.fields.text('email') ?? ''
      check(ctx, await networkLimiter.count(networkKeyOf(ctx.req, trustProxy), email))
      return await next()
    },
  }
}

const pass: Handler = (_ctx, next) => next()
