import { LinkNotValid, type LinkPurpose } from '@rollcall/core'
import { type Handler, pathParameter, type RouteContext } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'

/** Refuses, before the body is read, a link that was not signed for this purpose or has expired; the core decides. */
export const requireLink =
  ({ useCases }: HttpOptions, purpose: LinkPurpose | 'preferences'): Handler =>
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
