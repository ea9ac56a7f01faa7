import Koa from 'koa'
import { dispatch } from './dispatch.ts'
import type { ExchangeState } from './exchange.ts'
import type { HttpLog, HttpOptions } from './http-options.ts'
import { buildRouter } from './router.ts'
import { screen } from './screen.ts'
import { answer } from './steps/answer.ts'
import { refusePath } from './steps/refuse-path.ts'
import { refuseTrace } from './steps/refuse-trace.ts'

/** The whole service as a Koa application. `createHttpServer` adds what only a server can answer. */
export const createApp = (options: HttpOptions): Koa<ExchangeState> => {
  const app = new Koa<ExchangeState>()
  app.use(answer(options))
  app.use(screen(options))
  app.use(dispatch(buildRouter(options, [])))
  if (!options.trace) app.use(refuseTrace)
  app.use(refusePath)
  app.on('error', (error: unknown) => reportLost(options.log, error))
  return app
}

// Nobody waits for an answer any more. Mostly the client went away, and the system says how; anything else is a defect.
const reportLost = (log: HttpLog, error: unknown): void => {
  if (error instanceof Error && 'code' in error) log.debug({ code: error.code }, 'a connection broke')
  else log.error({ err: error }, 'an error came too late to be answered')
}
