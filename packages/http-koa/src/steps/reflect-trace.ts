import type { IncomingMessage } from 'node:http'
import { MalformedRequest } from '@rollcall/core'
import type { Context } from '../exchange.ts'

// RFC 9110 section 9.3.8: secrets do not go back; nor does what proxies added, which is not the client's.
const WITHHELD = /^(?:authorization|proxy-authorization|cookie|forwarded|x-forwarded-.*)$/i

/** Sends the request back as it came, on whatever path. */
export const reflectTrace = (ctx: Context): void => {
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

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
