import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { AppMiddleware, Context } from '../exchange.ts'
import { DEFAULT_LANGUAGE, type Languages, type Texts, textsFor } from './language.ts'
import { layout, type Page } from './page.ts'
import { accentStyle } from './page-face.ts'
import type { Style } from './pages.ts'

/** For an endpoint that also speaks HTML. */
export const offerPage: AppMiddleware = (ctx, next) => {
  shorten(ctx.req.headers)
  return next()
}

/** For an endpoint that speaks to programs alone, so that its errors do as well. */
export const offerNoPage: AppMiddleware = (ctx, next) => {
  ctx.state.rollcall.offersPage = false
  return next()
}

/** The characters of a header field that are negotiated. Browsers send some 150. */
const LONGEST = 1_024

/**
 * Leaves the whole elements within the first KiB of what is negotiated. Negotiation takes time that grows with the
 * square of the length, also for an answer that refuses the request.
 */
export const shorten = (headers: IncomingHttpHeaders): void => {
  for (const name of ['accept', 'accept-language'] as const) {
    const value = headers[name]
    if (value === undefined || value.length <= LONGEST) continue
    headers[name] = value.slice(0, Math.max(0, value.lastIndexOf(',', LONGEST)))
  }
}

const JSON_FIRST = ['application/json', 'text/html']

/** Whether the client prefers HTML to JSON. Without a preference it gets JSON. */
export const prefersPage = (ctx: Context): boolean => {
  const { accept } = ctx.req.headers
  // Most programs send no Accept, or one without a text type: the negotiation can be skipped.
  return accept !== undefined && /text\//i.test(accept) && ctx.accepts(JSON_FIRST) === 'text/html'
}

/** The texts in the first of the preferred languages that has some; else in one that the client accepts. */
export const languageOf = (ctx: Context, ...preferred: readonly (string | undefined)[]): Texts => {
  const languages = ctx.state.rollcall.pages.languages as Languages
  return textsFor(languages, preferred) ?? textsFor(languages, ctx.acceptsLanguages()) ?? DEFAULT_LANGUAGE
}

/** Sends a page; by default no cache may keep it. */
export const sendPage = (ctx: Context, status: number, page: Page, cacheControl = 'no-store'): void => {
  const { res, state } = ctx
  const { style } = state.rollcall.pages
  const nonce = page.challenge ? randomBytes(16).toString('base64') : undefined
  ctx.status = status
  res.setHeader('Content-Type', 'text/html; charset=utf-8')
  res.setHeader('Content-Security-Policy', contentSecurityPolicy(style, page, nonce))
  res.setHeader('Referrer-Policy', 'no-referrer')
  res.setHeader('Cache-Control', cacheControl)
  ctx.body = layout(page, style, nonce)
}

/**
 * Redirects the browser to the URL, if there is one (RFC 9110 section 15.4.4). The page is the content of the response,
 * also for clients that do not follow the redirect.
 */
export const sendOn = (ctx: Context, url: string | undefined, page: Page): void => {
  sendPage(ctx, url === undefined ? 200 : 303, page)
  // Escaped, so that a header field can carry it.
  if (url !== undefined) ctx.res.setHeader('Location', new URL(url).href)
}

/**
 * Allows the style with its embedded images and fonts, and forms to this service and the given URLs. The only script is
 * the one with the nonce, which may run itself as a worker and request a challenge from this service.
 * Chromium applies `form-action` to every redirect that follows a form.
 * @see https://www.w3.org/TR/CSP3/#directive-form-action
 */
const contentSecurityPolicy = ({ sources }: Style, { formTargets = [], face }: Page, nonce?: string): string =>
  [
    "default-src 'none'",
    ['style-src', sources, accentStyle(face)?.source].filter(Boolean).join(' '),
    ...(nonce === undefined ? [] : [`script-src 'nonce-${nonce}'`, "worker-src 'self'", "connect-src 'self'"]),
    'img-src data:',
    'font-src data:',
    `form-action ${["'self'", ...new Set(formTargets.map(sourceOf))].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

// Not every host of a URL can be written as a source: `[::1]` cannot, and `a;b` would end the directive.
const WRITABLE = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d+)?$/

const sourceOf = (url: string): string => {
  const { origin, protocol } = new URL(url)
  return WRITABLE.test(origin) ? origin : protocol
}
