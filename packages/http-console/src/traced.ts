import type { Middleware } from 'koa'
import type { ConsoleTracing } from './console-options.ts'
import { routeFor } from './routes.ts'

/** To be used before all others. */
export const traced =
  (tracing: ConsoleTracing): Middleware =>
  (ctx, next) => {
    const surround = tracing.begin(ctx.req)
    if (surround === undefined) return next()
    const { method, path } = ctx
    return surround(async () => {
      await next()
      return { route: patternOf(method === 'HEAD' ? 'GET' : method, path), status: ctx.status }
    })
  }

export const WITHOUT_SESSION: ReadonlySet<string> = new Set([
  '/login',
  '/login/callback',
  '/login/provider',
  '/script.js',
  '/style.css',
])

/** Never the path itself: it may hold an id, or the secret of a link. */
const patternOf = (method: string, path: string): string | undefined => {
  if (WITHOUT_SESSION.has(path)) return path
  return /^\/login\/./.test(path) ? '/login/{link}' : routeFor(method, path)?.template
}
