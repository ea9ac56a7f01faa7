import { feedRecord } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendRepresentation } from '../send.ts'

export const getFeed =
  ({ useCases, now = Date.now }: HttpOptions): Step =>
  async (ctx) => {
    const feed = await useCases.getFeed.execute({ name: pathParameter(ctx, 'name') }, callerOf(ctx))
    const body = JSON.stringify(feedRecord(feed))
    sendRepresentation(ctx, { body, audience: 'private', lastModified: feed.updatedAt, now: now() })
  }
