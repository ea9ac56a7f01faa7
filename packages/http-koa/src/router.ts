import { Router } from '@koa/router'
import type { AppMiddleware, ExchangeState, Handler } from './exchange.ts'
import type { HttpOptions } from './http-options.ts'
import { allowedMethods, KNOWN_METHODS } from './methods.ts'
import { errorHandler } from './middleware/error-handler.ts'
import { methodNotAllowed } from './middleware/fallbacks.ts'
import { preRouting } from './middleware/pre-routing.ts'
import { routesOf } from './routes.ts'

/** Every endpoint as a router, to mount in another Koa application, before any body parser. */
export const createRouter = (options: HttpOptions): Router<ExchangeState> =>
  buildRouter(options, [errorHandler(options), preRouting(options)])

/** The router; each of its routes begins with the given middleware. */
export const buildRouter = (options: HttpOptions, before: readonly AppMiddleware[]): Router<ExchangeState> => {
  const router = new Router<ExchangeState>({ sensitive: true, strict: true })
  for (const [path, methods] of byPath(routesOf(options))) {
    const allowed = allowedMethods([...methods.keys()], options.trace)
    const refuse = methodNotAllowed(allowed)
    for (const [method, handlers] of methods) {
      const last = method === 'OPTIONS' ? [refuse] : []
      router.register(path, [method], [compose([...before, ...handlers, ...last])])
    }
    const others = KNOWN_METHODS.filter((method) => !methods.has(method) && !(method === 'HEAD' && methods.has('GET')))
    router.register(path, others, [compose([...before, refuse])])
  }
  return router
}

/** One handler that runs the given ones in order. The router would compose them again for each request. */
const compose = (handlers: readonly (Handler | AppMiddleware)[]): Handler => {
  const [first, ...others] = handlers
  if (first === undefined) return (_ctx, next) => next()
  const rest = others.length === 0 ? undefined : compose(others)
  return (ctx, next) => first(ctx, rest === undefined ? next : () => Promise.resolve(rest(ctx, next)))
}

const byPath = (routes: Readonly<Record<string, readonly Handler[]>>): Map<string, Map<string, readonly Handler[]>> => {
  const paths = new Map<string, Map<string, readonly Handler[]>>()
  for (const [name, handlers] of Object.entries(routes)) {
    const [method = '', template = ''] = name.split(' ')
    // OpenAPI writes `{id}`, the router `:id`.
    const path = template.replace(/\{(\w+)\}/g, ':$1')
    const methods = paths.get(path) ?? new Map<string, readonly Handler[]>()
    paths.set(path, methods.set(method, handlers))
  }
  return paths
}
