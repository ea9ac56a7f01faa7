import type { Router } from '@koa/router'
import type { AppMiddleware, ExchangeState, RouteContext } from './exchange.ts'

/** What all paths that match one pattern share: the first segment, and the number of segments. */
const shapeOf = (path: string): string => {
  let segments = 0
  let firstEnd = path.length
  for (let at = path.indexOf('/', 1); at >= 0; at = path.indexOf('/', at + 1)) if (segments++ === 0) firstEnd = at
  return `${path.slice(0, firstEnd)} ${segments}`
}

/**
 * Does what the router's own `routes()` does, for routes of one handler and without a prefix. `routes()` tries every
 * pattern on every request, and composes the handlers each time. Call this once all routes are registered.
 */
export const dispatch = ({ stack }: Router<ExchangeState>): AppMiddleware => {
  const index = new Map<string, typeof stack>()
  for (const layer of stack) {
    for (const method of layer.methods) {
      const key = `${method} ${shapeOf(String(layer.path))}`
      index.set(key, [...(index.get(key) ?? []), layer])
    }
  }
  return (ctx, next) => {
    const { path } = ctx
    const layers = index.get(`${ctx.req.method} ${shapeOf(path)}`) ?? []
    for (const layer of layers) {
      if (!layer.match(path)) continue
      const routed = ctx as RouteContext
      routed.params = layer.params(path, layer.captures(path))
      routed._matchedRoute = layer.path
      return layer.stack[0]?.(routed, next)
    }
    return next()
  }
}
