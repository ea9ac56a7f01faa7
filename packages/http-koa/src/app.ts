import { Router } from '@koa/router'
import Koa from 'koa'
import type { AppMiddleware, ExchangeState, Handler, RouteContext } from './exchange.ts'
import { mountedHandler } from './handlers/mounted.ts'
import type { HttpLog, HttpOptions } from './http-options.ts'
import { errorHandler } from './middleware/error-handler.ts'
import { allowedMethods, KNOWN_METHODS, methodNotAllowed, notFound, traceNotAllowed } from './middleware/fallbacks.ts'
import { leadToSignUp } from './middleware/lead-to-sign-up.ts'
import { preRouting } from './middleware/pre-routing.ts'
import { routesOf } from './routes.ts'

/** The whole service as a Koa application. `createHttpServer` adds what only a server can do. */
export const createApp = (options: HttpOptions): Koa<ExchangeState> => {
  const app = new Koa<ExchangeState>()
  app.use(errorHandler(options))
  app.use(preRouting(options))
  app.use(dispatch(buildRouter(options, [])))
  if (!options.trace) app.use(traceNotAllowed)
  app.use(leadToSignUp(options))
  app.use(notFound)
  app.on('error', (error: unknown) => reportLost(options.log, error))
  return app
}

// No client waits for an answer any more. Mostly it went away, and the error has a code; anything else is a defect.
const reportLost = (log: HttpLog, error: unknown): void => {
  if (error instanceof Error && 'code' in error) log.debug({ code: error.code }, 'a connection broke')
  else log.error({ err: error }, 'an error came too late to be answered')
}

/** Every endpoint as a router, to mount in another Koa application, before any body parser. */
export const createRouter = (options: HttpOptions): Router<ExchangeState> =>
  buildRouter(options, [errorHandler(options), preRouting(options)])

/**
 * Paths that are also those of a record: with the methods of the pattern, they are about the record. They advertise
 * their own methods alone, as the document does.
 */
const SHARED_PATHS: Readonly<Record<string, string>> = { '/users/import': '/users/{userId}' }

/** The router; each of its routes begins with the given middleware. */
const buildRouter = (options: HttpOptions, before: readonly AppMiddleware[]): Router<ExchangeState> => {
  const router = new Router<ExchangeState>({ sensitive: true, strict: true })
  const routes = Object.entries(routesOf(options)).map(([route, handlers]) => ({ route: route.split(' '), handlers }))
  const methodsOf = (template: string | undefined): string[] =>
    routes.flatMap(({ route: [method = '', path] }) => (path === template ? [method] : []))
  for (const [template = '', ofPath] of Map.groupBy(routes, ({ route }) => route[1])) {
    const methods = new Map(ofPath.map(({ route, handlers }) => [route[0] ?? '', handlers]))
    // OpenAPI writes `{id}`, the router `:id`.
    const path = template.replace(/\{(\w+)\}/g, ':$1')
    const allowed = allowedMethods([...methods.keys()], options.trace)
    const refuse = methodNotAllowed(allowed)
    for (const [method, handlers] of methods) {
      const last = method === 'OPTIONS' ? [refuse] : []
      router.register(path, [method], [compose([...before, ...handlers, ...last])])
    }
    const ofRecord = allowedMethods(methodsOf(SHARED_PATHS[template]), false).filter((method) => method !== 'OPTIONS')
    const others = KNOWN_METHODS.filter(
      (method) => !(methods.has(method) || ofRecord.includes(method) || (method === 'HEAD' && methods.has('GET'))),
    )
    router.register(path, others, [compose([...before, refuse])])
  }
  const { mounted } = options
  if (mounted !== undefined) {
    const answer = compose([...before, mountedHandler(mounted)])
    for (const path of [mounted.path, `${mounted.path}/*rest`]) router.register(path, [...KNOWN_METHODS], [answer])
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

/** What all paths that match one pattern share. */
const firstSegmentOf = (path: string): string => {
  const end = path.indexOf('/', 1)
  return end < 0 ? path : path.slice(0, end)
}

/**
 * Does what the router's own `routes()` does, for routes of one handler and without a prefix. `routes()` tries every
 * pattern on every request, and composes the handlers each time. Call this once all routes are registered.
 */
const dispatch = ({ stack }: Router<ExchangeState>): AppMiddleware => {
  // One key for both would have to be made for each request.
  const index = new Map(
    KNOWN_METHODS.map((method) => {
      const layers = stack.filter(({ methods }) => methods.includes(method))
      return [method, Map.groupBy(layers, (layer) => firstSegmentOf(String(layer.path)))]
    }),
  )
  return (ctx, next) => {
    const { path } = ctx
    const layers = index.get(ctx.req.method ?? '')?.get(firstSegmentOf(path)) ?? []
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
