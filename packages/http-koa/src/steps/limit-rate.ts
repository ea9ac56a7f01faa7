import { LinkNotValid } from '@rollcall/core'
import { clientKeyOf } from '../client-address.ts'
import type { RouteContext, Step } from '../exchange.ts'
import { HttpError } from '../http-error.ts'
import type { HttpOptions } from '../http-options.ts'
import type { LimitedDeed } from '../rate-limiter.ts'

type LimitOptions = Pick<HttpOptions, 'funnel' | 'rateLimiter' | 'trustProxy'>

/** Lets each client do this only so often, whatever it says, and before it has said it. */
export const limitRate = (options: LimitOptions, deed: LimitedDeed): Step => {
  const count = counter(options, deed)
  return async (ctx, next) => {
    await count?.(ctx)
    return await next()
  }
}

/** Lets each client try only so many links that are not valid. One that is valid always opens, and is not counted. */
export const limitGuesses = (options: LimitOptions): Step => {
  const count = counter(options, 'links')
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (error instanceof LinkNotValid) await count?.(ctx)
      throw error
    }
  }
}

const counter = ({ rateLimiter, trustProxy, funnel }: LimitOptions, deed: LimitedDeed) => {
  if (rateLimiter === undefined) return undefined
  const policy = `"${deed}";q=${rateLimiter.quota};w=${seconds(rateLimiter.window)}`
  /** @throws {HttpError} this was once too often */
  return async ({ req, res }: RouteContext): Promise<void> => {
    const { allowed, remaining, resetIn } = await rateLimiter.count(deed, clientKeyOf(req, trustProxy))
    const wait = seconds(resetIn)
    // draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4.
    res.setHeader('RateLimit-Policy', policy)
    res.setHeader('RateLimit', `"${deed}";r=${remaining};t=${wait}`)
    if (allowed) return
    // A link that was guessed is no form.
    if (deed !== 'links') funnel?.turnedAway('rate-limit')
    throw new HttpError('TooManyRequests', `That was too often. Try again in ${wait} seconds.`, {
      'Retry-After': `${wait}`,
    })
  }
}

const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1_000))
