import { LinkNotValid } from '@rollcall/core'
import { pathParameter, type RouteContext } from '../exchange.ts'

/**
 * The token in the path, which has one spelling only: an escape in it makes it another.
 * @throws {LinkNotValid}
 */
export const linkTokenIn = (ctx: RouteContext): string => {
  if (ctx.path.includes('%')) throw new LinkNotValid()
  return pathParameter(ctx, 'token')
}
