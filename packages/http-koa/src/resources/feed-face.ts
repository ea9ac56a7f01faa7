import {
  DeleteFeedLogoUseCase,
  GetFeedLogoUseCase,
  InvalidInput,
  PREVIEWED_MAILS,
  PREVIEWED_PAGES,
  PreviewMailUseCase,
  PutFeedLogoUseCase,
  publishedFeed,
  SendPreviewUseCase,
} from '@rollcall/core'
import type { RouteContext } from '../exchange.ts'
import { type Media, operation, PAGE, resource } from '../operation/operation.ts'
import { parameter, withDefault } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { createPagePreviews } from '../pages/page-previews.ts'
import { sendJson } from '../send.ts'
import { Feed } from './feeds.ts'
import { created, DONE } from './record-of.ts'

/** A logo, as it comes and goes. */
const PICTURE: Media = { content: { 'image/png': { schema: {} }, 'image/svg+xml': { schema: {} } } }
const PREVIEW: Media = { content: { ...PAGE.content, 'message/rfc822': { schema: { type: 'string' } } } }

/** What is shown as it is may do nothing: neither run, nor load, nor send. */
const HARMLESS = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"

const sendHarmless = (ctx: RouteContext, body: string | Buffer, type: string): void => {
  ctx.res.setHeader('Content-Security-Policy', HARMLESS)
  ctx.res.setHeader('Cache-Control', 'no-store')
  ctx.res.setHeader('Referrer-Policy', 'no-referrer')
  sendJson(ctx, 200, body, type)
}

export const feedFace = resource('Feeds', [
  operation('GET /feeds/{name}/logo', {
    id: 'getFeedLogo',
    summary: 'The logo of a feed, as it is in its mails and pages.',
    guarded: GetFeedLogoUseCase,
    answers: { 200: PICTURE },
    errors: ['FeedNotFound', 'LogoNotFound'],
    handle: async ({ ctx, useCases, path, caller }) => {
      const { type, content } = await useCases.getFeedLogo.execute(path, caller)
      sendHarmless(ctx, Buffer.from(content, 'base64'), type)
    },
  }),
  operation('PUT /feeds/{name}/logo', {
    id: 'putFeedLogo',
    summary:
      'Give a feed a logo: a PNG of at most 2,000 by 2,000 pixels, or an SVG. What does not draw is left out; an SVG with a script, an event handler or a reference to something outside is refused.',
    guarded: PutFeedLogoUseCase,
    reads: 'picture',
    picture: PICTURE,
    answers: { 201: Feed, 204: null },
    conditional: 'presence',
    errors: ['FeedNotFound', 'FeedInUse', 'PayloadTooLarge', 'UnsupportedMediaType', 'InvalidInput'],
    // Whatever it is called: what counts is what it is.
    handle: async ({ ctx, useCases, path, caller, precondition }) => {
      const content = ctx.state.rollcall.picture
      const command = { ...path, content, precondition: precondition() }
      const { feed, created: isNew } = await useCases.putFeedLogo.execute(command, caller)
      return isNew ? created(`/feeds/${feed.name}/logo`, publishedFeed(feed)) : DONE
    },
  }),
  operation('DELETE /feeds/{name}/logo', {
    id: 'deleteFeedLogo',
    summary: 'Take the logo of a feed away.',
    guarded: DeleteFeedLogoUseCase,
    answers: { 204: null },
    conditional: 'presence',
    errors: ['FeedNotFound', 'LogoNotFound'],
    handle: async ({ useCases, path, caller, precondition }) => {
      await useCases.deleteFeedLogo.execute({ ...path, precondition: precondition() }, caller)
      return DONE
    },
  }),
  operation('GET /feeds/{name}/preview', {
    id: 'previewFeed',
    summary: 'A page or a mail of a feed as its readers get it, with links that lead nowhere.',
    guarded: PreviewMailUseCase,
    query: {
      page: parameter('Which page; or give a mail.', s.oneOf(PREVIEWED_PAGES), 'sign-up'),
      mail: parameter('Which mail; or give a page.', s.wordOf(PREVIEWED_MAILS)),
      language: parameter('Of its reader; by default that of the feed.', s.text(), 'de'),
      message: parameter(
        'Of a mail: whether as the message that goes over the wire, and not as a page.',
        withDefault(false, s.flag()),
      ),
    },
    answers: { 200: PREVIEW },
    errors: ['FeedNotFound'],
    handle: async ({ ctx, options, useCases, path: { name }, query, caller, assertGood }) => {
      assertGood()
      const { mail, page, message: asMessage = false } = query
      const language = query.language || undefined
      if ((mail === undefined) === (page === undefined))
        throw new InvalidInput([{ field: 'page', message: 'Give either a page or a mail.' }])
      if (mail !== undefined) {
        const { html, message } = await useCases.previewMail.execute({ name, mail, language }, caller)
        if (asMessage) return sendHarmless(ctx, Buffer.from(message), 'message/rfc822')
        return sendHarmless(ctx, html, 'text/html; charset=utf-8')
      }
      if (asMessage) throw new InvalidInput([{ field: 'message', message: 'Only a mail is one: leave this out.' }])
      const feed = await useCases.getFeed.execute({ name }, caller)
      const logo = feed.face.logo && (await useCases.getFeedLogo.execute({ name }, caller))
      const previews = createPagePreviews(options.publicUrl, ctx.state.rollcall.pages)
      sendHarmless(ctx, previews.page(page ?? 'sign-up', { feed, logo }, language), 'text/html; charset=utf-8')
    },
  }),
  operation('POST /feeds/{name}/preview', {
    id: 'sendPreview',
    summary: 'Send such a mail to an address, at once. Its links lead nowhere.',
    guarded: SendPreviewUseCase,
    body: s.named(
      'PreviewForm',
      s.form(
        { mail: s.wordOf(PREVIEWED_MAILS), to: w.email },
        { language: w.languageTag('Of its reader; by default that of the feed.') },
      ),
    ),
    example: { mail: 'confirmation', to: 'jane@example.com', language: 'de' },
    answers: { 204: null },
    errors: ['FeedNotFound'],
    handle: async ({ useCases, path, body, caller, whenFound }) => {
      const language = body.language || undefined
      await useCases.sendPreview.execute({ ...body, ...path, language, precondition: whenFound }, caller)
      return DONE
    },
  }),
])
