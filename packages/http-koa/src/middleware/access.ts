import { type Guarded, LinkNotValid, type TokenPurpose } from '@rollcall/core'
import { callerOf, type Handler, pathParameter, type RouteContext } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { accessTokenIn } from '../reading/access-token.ts'

/** Identifies the caller. The token is read from the Authorization header field only (RFC 6750 section 2.1). */
export const authenticate =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx, next) => {
    const exchange = ctx.state.rollcall
    const token = accessTokenIn(ctx.req.headers.authorization)
    exchange.admittedAt = performance.now()
    exchange.caller = await useCases.authenticate.execute({ token, channel: 'http', requestId: exchange.requestId })
    return await next()
  }

/** Refuses, before the body is read, a caller that the use case would refuse; the policy in the core decides. */
export const authorize =
  ({ useCases }: HttpOptions, guarded: Guarded, parameter?: string): Handler =>
  async (ctx, next) => {
    const named = parameter === undefined ? undefined : pathParameter(ctx, parameter)
    const target = named === undefined ? undefined : (guarded.targetOf?.(named) ?? named)
    await useCases.access.requireFirst(callerOf(ctx), guarded, target)
    return await next()
  }

/** Milliseconds. */
const MOMENT = 1_000

/**
 * Runs these again if the body took more than a moment to come: meanwhile the caller may have been suspended, or its token
 * revoked.
 */
export const againIfLate =
  (steps: readonly Handler[]): Handler =>
  async (ctx, next) => {
    const isLate = performance.now() - ctx.state.rollcall.admittedAt > MOMENT
    for (const step of isLate ? steps : []) await step(ctx, async () => undefined)
    return await next()
  }

/** Refuses, before the body is read, a link that was not signed for this purpose or has expired; the core decides. */
export const requireLink =
  ({ useCases }: HttpOptions, purpose: TokenPurpose): Handler =>
  (ctx, next) => {
    useCases.signedLinks.require(purpose, linkTokenIn(ctx))
    return next()
  }

/**
 * The token in the path. It has one spelling only: with a percent escape it is another token.
 * @throws {LinkNotValid}
 */
export const linkTokenIn = (ctx: RouteContext): string => {
  if (ctx.path.includes('%')) throw new LinkNotValid()
  return pathParameter(ctx, 'token')
}
