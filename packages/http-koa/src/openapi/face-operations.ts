import * as core from '@rollcall/core'
import { PREVIEWED_PAGES } from '../pages/page-previews.ts'
import type { GuardedOperation, Route } from './operation.ts'
import * as s from './schema.ts'

const LANGUAGE = { description: 'Of its reader; by default that of the feed.', schema: s.text(), example: 'de' }

/** What a feed looks like in its mails and pages. */
export const FACE_OPERATIONS = {
  'GET /feeds/{name}/logo': {
    id: 'getFeedLogo',
    summary: 'The logo of a feed, as it is in its mails and pages.',
    guarded: core.GetFeedLogoUseCase,
    answers: { 200: 'picture' },
    errors: ['FeedNotFound', 'LogoNotFound'],
  },
  'PUT /feeds/{name}/logo': {
    id: 'putFeedLogo',
    summary:
      'Give a feed a logo: a PNG of at most 2,000 by 2,000 pixels, or an SVG. What does not draw is left out; an SVG with a script, an event handler or a reference to something outside is refused.',
    guarded: core.PutFeedLogoUseCase,
    ...{ body: 'picture', anyType: true },
    answers: { 204: null },
    errors: ['FeedNotFound', 'FeedInUse', 'PayloadTooLarge', 'UnsupportedMediaType', 'InvalidInput'],
  },
  'DELETE /feeds/{name}/logo': {
    id: 'deleteFeedLogo',
    summary: 'Take the logo of a feed away.',
    guarded: core.DeleteFeedLogoUseCase,
    answers: { 204: null },
    errors: ['FeedNotFound', 'LogoNotFound'],
  },
  'GET /feeds/{name}/preview': {
    id: 'previewFeed',
    summary: 'A page or a mail of a feed as its readers get it, with links that lead nowhere.',
    guarded: core.PreviewMailUseCase,
    query: {
      page: { description: 'Which page; or give a mail.', schema: s.oneOf(...PREVIEWED_PAGES), example: 'sign-up' },
      mail: { description: 'Which mail; or give a page.', schema: s.oneOf(...core.PREVIEWED_MAILS) },
      language: LANGUAGE,
      message: {
        description: 'Of a mail: whether as the message that goes over the wire, and not as a page.',
        schema: { type: 'boolean', default: false },
      },
    },
    answers: { 200: 'preview' },
    errors: ['FeedNotFound'],
  },
  'POST /feeds/{name}/preview': {
    id: 'sendPreview',
    summary: 'Send such a mail to an address, at once. Its links lead nowhere.',
    guarded: core.SendPreviewUseCase,
    body: 'PreviewForm',
    answers: { 204: null },
    errors: ['FeedNotFound'],
  },
} as const satisfies Record<Route, GuardedOperation>
