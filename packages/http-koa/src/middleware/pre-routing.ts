import { MalformedRequest } from '@rollcall/core'
import type { AppMiddleware, Context } from '../exchange.ts'
import { EVERY_METHOD } from '../methods.ts'
import { hasBody } from '../reading/request-body.ts'
import { sendNothing } from '../send.ts'
import { refuseBrokenRequest } from './refuse-broken-request.ts'

/** What every request passes, whatever its path. One Koa middleware, because each one costs every request. */
export const preRouting =
  ({ trace }: { readonly trace: boolean }): AppMiddleware =>
  (ctx, next) => {
    normaliseTarget(ctx)
    refuseBrokenRequest(ctx)
    if (ctx.req.url === '*') return describeServer(ctx)
    if (trace && ctx.req.method === 'TRACE') return reflectTrace(ctx)
    return next()
  }

const ABSOLUTE = /^https?:\/\/[^/?#]*/i

/** Reduces a request target in absolute form to its path; every server must accept it (RFC 9112 section 3.2.2). */
const normaliseTarget = (ctx: Context): void => {
  const { url = '' } = ctx.req
  if (!url.startsWith('/') && ABSOLUTE.test(url)) {
    const path = url.replace(ABSOLUTE, '')
    ctx.url = path.startsWith('/') ? path : `/${path}`
  }
}

const ALLOW = EVERY_METHOD.join(', ')

/** `OPTIONS *`: which methods the server as a whole supports (RFC 9110 section 9.3.7). */
const describeServer = (ctx: Context): void => {
  ctx.res.setHeader('Allow', ALLOW)
  sendNothing(ctx)
}

// RFC 9110 section 9.3.8: secrets are not sent back; nor is what proxies added, which is not the client's.
const WITHHELD = /^(?:authorization|proxy-authorization|cookie|forwarded|x-forwarded-.*)$/i

/** Sends the request back as it came, on any path. */
const reflectTrace = (ctx: Context): void => {
  const { req, res, originalUrl } = ctx
  if (hasBody(req)) {
    res.setHeader('Connection', 'close')
    throw new MalformedRequest('Send TRACE without a body.')
  }
  const lines = [`TRACE ${originalUrl} HTTP/${req.httpVersion}`]
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i] ?? ''
    if (!WITHHELD.test(name)) lines.push(`${name}: ${req.rawHeaders[i + 1]}`)
  }
  ctx.status = 200
  res.setHeader('Content-Type', 'message/http')
  res.setHeader('Cache-Control', 'no-store')
  ctx.body = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
