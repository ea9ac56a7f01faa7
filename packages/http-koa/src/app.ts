import Koa from 'koa'
import { dispatch } from './dispatch.ts'
import type { ExchangeState } from './exchange.ts'
import type { HttpLog, HttpOptions } from './http-options.ts'
import { errorHandler } from './middleware/error-handler.ts'
import { notFound, traceNotAllowed } from './middleware/fallbacks.ts'
import { preRouting } from './middleware/pre-routing.ts'
import { buildRouter } from './router.ts'

/** The whole service as a Koa application. `createHttpServer` adds what only a server can do. */
export const createApp = (options: HttpOptions): Koa<ExchangeState> => {
  const app = new Koa<ExchangeState>()
  app.use(errorHandler(options))
  app.use(preRouting(options))
  app.use(dispatch(buildRouter(options, [])))
  if (!options.trace) app.use(traceNotAllowed)
  app.use(notFound)
  app.on('error', (error: unknown) => reportLost(options.log, error))
  return app
}

// No client waits for an answer any more. Mostly it went away, and the error has a code; anything else is a defect.
const reportLost = (log: HttpLog, error: unknown): void => {
  if (error instanceof Error && 'code' in error) log.debug({ code: error.code }, 'a connection broke')
  else log.error({ err: error }, 'an error came too late to be answered')
}
