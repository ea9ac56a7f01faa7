import { feedRecord } from '@rollcall/core'
import { basePathOf } from '../base-path.ts'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendCreated, sendNothing } from '../send.ts'
import { feedPrecondition } from './feed-precondition.ts'

export const putFeed = ({ useCases, publicUrl }: HttpOptions): Step => {
  const base = basePathOf(publicUrl)
  return async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = {
      name: pathParameter(ctx, 'name'),
      title: fields.text('title'),
      description: fields.text('description'),
      language: fields.text('language'),
      sender: fields.text('sender'),
      wording: fields.text('wording'),
      returnUrls: fields.texts('return_urls'),
      confirmedUrl: fields.text('confirmed_url'),
      open: fields.flag('open'),
      precondition: feedPrecondition(ctx.headers, fields),
    }
    const { feed, created } = await useCases.putFeed.execute(command, callerOf(ctx))
    if (created) sendCreated(ctx, `${base}/feeds/${feed.name}`, JSON.stringify(feedRecord(feed)))
    else sendNothing(ctx)
  }
}
