import type { IncomingHttpHeaders } from 'node:http'
import { type Feed, feedRecord, type Precondition } from '@rollcall/core'
import { basePathOf } from '../base-path.ts'
import { entityTagOf } from '../conditional/entity-tag.ts'
import { preconditionOf } from '../conditional/precondition.ts'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import type { Fields } from '../reading/fields.ts'
import { sendCreated, sendNothing } from '../send.ts'

export const putFeed = ({ useCases, publicUrl }: HttpOptions): Step => {
  const base = basePathOf(publicUrl)
  return async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = {
      name: pathParameter(ctx, 'name'),
      title: fields.text('title'),
      description: fields.text('description'),
      language: fields.text('language'),
      precondition: feedPrecondition(ctx.headers, fields),
    }
    const { feed, created } = await useCases.putFeed.execute(command, callerOf(ctx))
    if (created) sendCreated(ctx, `${base}/feeds/${feed.name}`, JSON.stringify(feedRecord(feed)))
    else sendNothing(ctx)
  }
}

// The request's own fields come after its condition on what is there: 412 before 422.
const feedPrecondition = (headers: IncomingHttpHeaders, fields: Fields): Precondition<Feed> => {
  const holds = preconditionOf<Feed>(headers, (feed) => ({
    entityTag: entityTagOf(JSON.stringify(feedRecord(feed))),
    lastModified: feed.updatedAt,
  }))
  return (current) => {
    if (holds?.(current) === false) return false
    fields.assertGood()
    return true
  }
}
