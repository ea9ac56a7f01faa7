import type { Context } from '../exchange.ts'
import { CONTENT_SECURITY_POLICY } from './style.ts'

/** A page; kept by nobody, unless told otherwise. */
export const sendPage = (ctx: Context, status: number, page: string, cacheControl = 'no-store'): void => {
  const { res } = ctx
  ctx.status = status
  res.setHeader('Content-Type', 'text/html; charset=utf-8')
  res.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY)
  res.setHeader('Referrer-Policy', 'no-referrer')
  res.setHeader('Cache-Control', cacheControl)
  ctx.body = page
}
