import { type Feed, feedRecord, listedFeedRecord } from '@rollcall/core'
import { preconditionOn, type Resource } from '../conditional-request.ts'
import { callerOf, type Handler, pathParameter, type RouteContext } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { mergePatch } from '../reading/merge-patch.ts'
import { sendChanged, sendCreated, sendNothing } from '../send.ts'
import { getHandler, listHandler, pagingOf } from './resource.ts'

const FEED: Resource<Feed> = { record: feedRecord, lastModified: ({ updatedAt }) => updatedAt }

export const listFeeds = (options: HttpOptions): Handler =>
  listHandler(options, ({ listFeeds }) => listFeeds, pagingOf, listedFeedRecord)

export const getFeed = (options: HttpOptions): Handler => getHandler(options, FEED, ({ getFeed }) => getFeed, 'name')

/** What becomes of the values of fields that go. */
const removedFieldsIn = (ctx: RouteContext): 'keep' | 'erase' | undefined => {
  const query = fieldsOfQuery(ctx.querystring)
  const fate = query.choice('fields', ['keep', 'erase'])
  query.assertGood()
  return fate
}

export const putFeed =
  ({ useCases, publicUrl }: HttpOptions): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const removedFields = removedFieldsIn(ctx)
    const command = {
      name: pathParameter(ctx, 'name'),
      title: fields.text('title'),
      description: fields.text('description'),
      language: fields.text('language'),
      sender: fields.text('sender'),
      wording: fields.text('wording'),
      returnUrls: fields.texts('return_urls'),
      confirmedUrl: fields.text('confirmed_url'),
      homeUrl: fields.text('home_url'),
      remindAfter: fields.text('remind_after'),
      open: fields.flag('open'),
      fields: fields.items('fields'),
      accent: fields.text('accent'),
      footer: fields.object('footer'),
      words: fields.object('words'),
      welcome: fields.flag('welcome'),
      removedFields,
      precondition: preconditionOn(FEED, ctx, fields),
    }
    const { feed, created } = await useCases.putFeed.execute(command, callerOf(ctx))
    if (created) sendCreated(ctx, publicUrl, `/feeds/${feed.name}`, feedRecord(feed))
    else sendNothing(ctx)
  }

export const patchFeed =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const patch = mergePatch(fields)
    const removedFields = removedFieldsIn(ctx)
    const command = {
      name: pathParameter(ctx, 'name'),
      title: patch.text('title'),
      description: patch.text('description'),
      language: patch.text('language'),
      sender: patch.text('sender'),
      wording: patch.text('wording'),
      returnUrls: patch.texts('return_urls'),
      confirmedUrl: patch.text('confirmed_url'),
      homeUrl: patch.text('home_url'),
      remindAfter: patch.text('remind_after'),
      open: patch.flag('open'),
      fields: patch.items('fields'),
      accent: patch.text('accent'),
      footer: patch.object('footer'),
      words: patch.object('words'),
      welcome: patch.flag('welcome'),
      removedFields,
      precondition: preconditionOn(FEED, ctx, fields),
    }
    sendChanged(ctx, feedRecord(await useCases.patchFeed.execute(command, callerOf(ctx))))
  }

/** Runs to its end, whether or not the client waits for the answer. */
export const deleteFeed =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const command = {
      name: pathParameter(ctx, 'name'),
      subscriptions: query.choice('subscriptions', ['keep', 'erase']),
      reason: query.text('reason'),
      precondition: preconditionOn(FEED, ctx, query),
    }
    await useCases.deleteFeed.execute(command, callerOf(ctx))
    sendNothing(ctx)
  }
