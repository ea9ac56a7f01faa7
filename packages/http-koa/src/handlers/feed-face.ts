import { InvalidInput, LARGEST_LOGO } from '@rollcall/core'
import { callerOf, type Handler, pathParameter } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { createPagePreviews, PREVIEWED_PAGES } from '../pages/page-previews.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { readRawBody } from '../reading/raw-body.ts'
import { sendJson, sendNothing } from '../send.ts'

/** What is shown as it is may do nothing: neither run, nor load, nor send. */
const HARMLESS = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"

export const getFeedLogo =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const { type, content } = await useCases.getFeedLogo.execute({ name: pathParameter(ctx, 'name') }, callerOf(ctx))
    ctx.res.setHeader('Content-Security-Policy', HARMLESS)
    ctx.res.setHeader('Cache-Control', 'no-store')
    sendJson(ctx, 200, Buffer.from(content, 'base64'), type)
  }

/** Whatever it is called: what counts is what it is. */
export const putFeedLogo =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const content = await readRawBody(ctx, LARGEST_LOGO)
    await useCases.putFeedLogo.execute({ name: pathParameter(ctx, 'name'), content }, callerOf(ctx))
    sendNothing(ctx)
  }

export const deleteFeedLogo =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    await useCases.deleteFeedLogo.execute({ name: pathParameter(ctx, 'name') }, callerOf(ctx))
    sendNothing(ctx)
  }

/** A page or a mail as its readers get it. */
export const previewFeed =
  ({ useCases, publicUrl }: HttpOptions): Handler =>
  async (ctx) => {
    const name = pathParameter(ctx, 'name')
    const query = fieldsOfQuery(ctx.querystring)
    const mail = query.text('mail')
    const page = query.choice('page', PREVIEWED_PAGES)
    const language = query.text('language') || undefined
    const asMessage = query.flag('message') ?? false
    query.assertGood()
    if ((mail === undefined) === (page === undefined))
      throw new InvalidInput([{ field: 'page', message: 'Give either a page or a mail.' }])
    ctx.res.setHeader('Content-Security-Policy', HARMLESS)
    ctx.res.setHeader('Cache-Control', 'no-store')
    if (mail !== undefined) {
      const { html, message } = await useCases.previewMail.execute({ name, mail, language }, callerOf(ctx))
      if (asMessage) return sendJson(ctx, 200, Buffer.from(message), 'message/rfc822')
      return sendJson(ctx, 200, html, 'text/html; charset=utf-8')
    }
    if (asMessage) throw new InvalidInput([{ field: 'message', message: 'Only a mail is one: leave this out.' }])
    const feed = await useCases.getFeed.execute({ name }, callerOf(ctx))
    const logo = feed.face.logo && (await useCases.getFeedLogo.execute({ name }, callerOf(ctx)))
    const previews = createPagePreviews(publicUrl, ctx.state.rollcall.pages)
    sendJson(ctx, 200, previews.page(page ?? 'sign-up', { feed, logo }, language), 'text/html; charset=utf-8')
  }

export const sendPreview =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const mail = fields.requiredText('mail')
    const to = fields.requiredText('to')
    const language = fields.text('language') || undefined
    fields.assertGood()
    await useCases.sendPreview.execute({ name: pathParameter(ctx, 'name'), mail, to, language }, callerOf(ctx))
    sendNothing(ctx)
  }
