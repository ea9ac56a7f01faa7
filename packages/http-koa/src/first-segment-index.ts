import type { Router } from '@koa/router'
import type { ExchangeState } from './exchange.ts'

const firstSegment = (path: string): string => {
  const end = path.indexOf('/', 1)
  return end < 0 ? path : path.slice(0, end)
}

/**
 * Has the router try only the routes that begin like the path. It would try every one, each with a regular expression,
 * on every request. To be called when all routes are there; no prefix may be set afterwards.
 */
export const indexByFirstSegment = (router: Router<ExchangeState>): void => {
  const { match } = router
  const bySegment = new Map<string, typeof router.stack>()
  for (const layer of router.stack) {
    const segment = firstSegment(String(layer.path))
    const alike = bySegment.get(segment)
    if (alike === undefined) bySegment.set(segment, [layer])
    else alike.push(layer)
  }
  router.match = (path, method) => match.call({ stack: bySegment.get(firstSegment(path)) ?? [] }, path, method)
}
