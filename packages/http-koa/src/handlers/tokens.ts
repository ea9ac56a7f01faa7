import { tokenRecord } from '@rollcall/core'
import { callerOf, type Handler, pathParameter } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendNothing } from '../send.ts'
import { listHandler, pagingOf } from './resource.ts'

export const listTokens = (options: HttpOptions): Handler =>
  listHandler(
    options,
    ({ listTokens }) => listTokens,
    (query) => ({ subject: query.text('subject'), ...pagingOf(query) }),
    tokenRecord,
  )

export const revokeToken =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    await useCases.revokeToken.execute({ tokenId: pathParameter(ctx, 'jti') }, callerOf(ctx))
    sendNothing(ctx)
  }
