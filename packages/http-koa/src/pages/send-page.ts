import { randomBytes } from 'node:crypto'
import type { Context } from '../exchange.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { layout } from './layout.ts'
import type { Page } from './page.ts'

/** Sends a page; by default no cache may keep it. */
export const sendPage = (ctx: Context, status: number, page: Page, cacheControl = 'no-store'): void => {
  const { res, state } = ctx
  const { style } = state.rollcall.pages
  const nonce = page.challenge ? randomBytes(16).toString('base64') : undefined
  ctx.status = status
  res.setHeader('Content-Type', 'text/html; charset=utf-8')
  res.setHeader('Content-Security-Policy', contentSecurityPolicy(style, page.formTargets, nonce))
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
