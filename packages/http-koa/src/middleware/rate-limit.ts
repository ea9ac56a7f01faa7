import { DomainError, LinkNotValid, Unavailable } from '@rollcall/core'
import { clientKeyOf, networkKeyOf } from '../client-address.ts'
import { HttpError } from '../error-response.ts'
import type { Handler, RouteContext } from '../exchange.ts'
import type { HttpOptions, LimitedAction } from '../http-options.ts'

type LimitOptions = Pick<HttpOptions, 'funnel' | 'networkLimiter' | 'rateLimiter' | 'trustProxy'>

/** Limits how often each client may do this. Counts before the body is read, and whatever it says. */
export const limitRate = (options: LimitOptions, action: LimitedAction): Handler => {
  const count = counter(options, action)
  if (count === undefined) return (_ctx, next) => next()
  return async (ctx, next) => {
    await count(ctx)
    return await next()
  }
}

/** Limits how many forms come from each network, whichever of its clients sends them. */
export const limitNetwork =
  ({ networkLimiter, trustProxy, funnel }: LimitOptions): Handler =>
  async ({ req, res }, next) => {
    if (networkLimiter === undefined) return await next()
    const { allowed, resetIn } = await networkLimiter.count('network', networkKeyOf(req, trustProxy))
    if (allowed) return await next()
    const wait = seconds(resetIn)
    res.appendHeader('RateLimit-Policy', `"network";q=${networkLimiter.quota};w=${seconds(networkLimiter.window)}`)
    res.appendHeader('RateLimit', `"network";r=0;t=${wait}`)
    funnel?.turnedAway('network-limit')
    throw tooManyRequests(wait)
  }

/** Limits how many invalid links each client may try. A valid link always opens, and is not counted. */
export const limitGuesses = (options: LimitOptions): Handler =>
  limitFailures(options, 'links', (error) => error instanceof LinkNotValid)

/** Limits how many messages each client may send that are not good and signed by the provider; those are not counted. */
export const limitForgeries = (options: LimitOptions): Handler =>
  limitFailures(
    options,
    'feedback',
    (error) => error instanceof HttpError || (error instanceof DomainError && !(error instanceof Unavailable)),
  )

const limitFailures = (
  options: LimitOptions,
  action: LimitedAction,
  isFailure: (error: unknown) => boolean,
): Handler => {
  const count = counter(options, action)
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (isFailure(error)) await count?.(ctx)
      throw error
    }
  }
}

const counter = ({ rateLimiter, trustProxy, funnel }: LimitOptions, action: LimitedAction) => {
  if (rateLimiter === undefined) return undefined
  const policy = `"${action}";q=${rateLimiter.quota};w=${seconds(rateLimiter.window)}`
  /** @throws {HttpError} the client has used up its quota */
  return async ({ req, res }: RouteContext): Promise<void> => {
    const { allowed, remaining, resetIn } = await rateLimiter.count(action, clientKeyOf(req, trustProxy))
    const wait = seconds(resetIn)
    // draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4.
    res.setHeader('RateLimit-Policy', policy)
    res.setHeader('RateLimit', `"${action}";r=${remaining};t=${wait}`)
    if (allowed) return
    // A guessed link, or a forged report, is not part of the sign-up funnel.
    if (action !== 'links' && action !== 'feedback') funnel?.turnedAway('rate-limit')
    throw tooManyRequests(wait)
  }
}

const tooManyRequests = (wait: number): HttpError =>
  new HttpError('TooManyRequests', `Too many requests. Try again in ${wait} seconds.`, { 'Retry-After': `${wait}` })

const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1_000))
