import type { Router } from '@koa/router'
import type { ExchangeState } from './exchange.ts'

/** What two paths that one pattern takes have in common: how they begin, and how many segments they have. */
const shapeOf = (path: string): string => {
  let segments = 0
  let firstEnd = path.length
  for (let at = path.indexOf('/', 1); at >= 0; at = path.indexOf('/', at + 1)) if (segments++ === 0) firstEnd = at
  return `${path.slice(0, firstEnd)} ${segments}`
}

/**
 * Has the router try only the routes that may take the request. It would try every one, each with a regular expression,
 * on every request. To be called when all routes are there; no prefix may be set afterwards.
 */
export const indexRoutes = (router: Router<ExchangeState>): void => {
  const { match } = router
  const index = new Map<string, typeof router.stack>()
  for (const layer of router.stack) {
    for (const method of layer.methods) {
      const key = `${method} ${shapeOf(String(layer.path))}`
      index.set(key, [...(index.get(key) ?? []), layer])
    }
  }
  router.match = (path, method) => match.call({ stack: index.get(`${method} ${shapeOf(path)}`) ?? [] }, path, method)
}
