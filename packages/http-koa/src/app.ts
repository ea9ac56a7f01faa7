import { Router } from '@koa/router'
import Koa from 'koa'
import type { AppMiddleware, ExchangeState } from './exchange.ts'
import type { HttpLog, HttpOptions } from './http-options.ts'
import { errorHandler } from './middleware/error-handler.ts'
import { allowedMethods, KNOWN_METHODS, methodNotAllowed, notFound, traceNotAllowed } from './middleware/fallbacks.ts'
import { leadToSignUp } from './middleware/lead-to-sign-up.ts'
import { preRouting } from './middleware/pre-routing.ts'
import { mountedHandler } from './mounted-handler.ts'
import { offerNoPage, offerPage } from './pages/send-page.ts'
import { endpointsOf } from './routes.ts'

/** The whole HTTP interface as a Koa application. `createHttpServer` adds what only a server can do. */
export const createApp = (options: HttpOptions): Koa<ExchangeState> => {
  const app = new Koa<ExchangeState>()
  app.use(errorHandler(options))
  app.use(preRouting(options))
  app.use(buildRouter(options, []).routes())
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
  // A fixed path stands before the pattern that it would match, too.
  const isPattern = ({ path }: { readonly path: string }): number => Number(path.includes('{'))
  const endpoints = endpointsOf(options).toSorted((a, b) => isPattern(a) - isPattern(b))
  const methodsAt = (template: string | undefined): string[] =>
    endpoints.flatMap(({ method, path }) => (path === template ? [method] : []))
  for (const [template, ofPath] of Map.groupBy(endpoints, ({ path }) => path)) {
    const methods = methodsAt(template)
    // OpenAPI writes `{id}`, the router `:id`.
    const path = template.replace(/\{(\w+)\}/g, ':$1')
    const speaks = [...before, ofPath.some(({ orPage }) => orPage) ? offerPage : offerNoPage]
    const refuse = methodNotAllowed(allowedMethods(methods, options.trace))
    for (const { method, steps } of ofPath)
      router.register(path, [method], [...speaks, ...steps, ...(method === 'OPTIONS' ? [refuse] : [])])
    const ofRecord = allowedMethods(methodsAt(SHARED_PATHS[template]), false).filter((method) => method !== 'OPTIONS')
    const others = KNOWN_METHODS.filter(
      (method) =>
        !(methods.includes(method) || ofRecord.includes(method) || (method === 'HEAD' && methods.includes('GET'))),
    )
    router.register(path, others, [...speaks, refuse])
  }
  const { mounted } = options
  if (mounted !== undefined) {
    const steps = [...before, mountedHandler(mounted)]
    for (const path of [mounted.path, `${mounted.path}/*rest`]) router.register(path, [...KNOWN_METHODS], steps)
  }
  return router
}
