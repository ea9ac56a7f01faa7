import type { Handler } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'

const PREFLIGHT_MAX_AGE = '600'

/** Lets scripts of the configured origins call this endpoint, without credentials (WHATWG Fetch, CORS protocol). */
export const cors = ({ corsOrigins }: HttpOptions, offered: string): Handler => {
  const origins: ReadonlySet<string> = new Set(corsOrigins)
  return (ctx, next) => {
    if (origins.size === 0) return next()
    const { req, res, method } = ctx
    const { origin } = req.headers
    res.setHeader('Vary', 'Origin')
    if (origin === undefined || !origins.has(origin)) return next()
    res.setHeader('Access-Control-Allow-Origin', origin)
    res.setHeader('Access-Control-Expose-Headers', 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id')
    if (method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined) {
      res.setHeader('Access-Control-Allow-Methods', offered)
      res.setHeader('Access-Control-Allow-Headers', 'Content-Type, X-Request-Id')
      res.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE)
    }
    return next()
  }
}
