import type { LinkPurpose } from '@rollcall/core'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { linkTokenIn } from './link-token.ts'

/** Refuses, before the body is read, a link that was not signed for this or has expired; the core decides. */
export const requireLink =
  ({ useCases }: HttpOptions, purpose: LinkPurpose | 'preferences'): Step =>
  (ctx, next) => {
    useCases.signedLinks.require(purpose, linkTokenIn(ctx))
    return next()
  }
