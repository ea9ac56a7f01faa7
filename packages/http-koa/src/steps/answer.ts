import type { ErrorResponse } from '../error-response.ts'
import { errorResponseTo } from '../error-response.ts'
import type { AppStep, Context } from '../exchange.ts'
import { Exchange } from '../exchange.ts'
import type { HttpLog, HttpOptions } from '../http-options.ts'
import { errorPage } from '../pages/error-page.ts'
import { languageOf } from '../pages/language.ts'
import { SHIPPED_PAGES } from '../pages/pages.ts'
import { prefersPage } from '../pages/prefers-page.ts'
import { sendPage } from '../pages/send-page.ts'
import { RefusalQuota } from '../refusal-quota.ts'
import { requestIdOf } from '../request-id.ts'
import { sendJson } from '../send.ts'
import { isTooLate } from '../server/send-server-error.ts'
import { endOfTurn } from './end-of-turn.ts'

/** The outermost step: names the request, and answers whatever the others throw, so that nothing else has to. */
export const answer = (options: HttpOptions): AppStep => {
  const { log, observer, now = Date.now, pages = SHIPPED_PAGES } = options
  const quota = new RefusalQuota()
  return async (ctx, next) => {
    const { req, res, state } = ctx
    const requestId = requestIdOf(req)
    state.rollcall = new Exchange(requestId, pages)
    const told = log.isLevelEnabled?.('debug') === true
    const begun = told || observer !== undefined ? performance.now() : 0
    res.setHeader('X-Content-Type-Options', 'nosniff')
    res.setHeader('X-Request-Id', requestId)
    try {
      await next()
    } catch (error) {
      const response = errorResponseTo(error, requestId)
      if (!isTooLate(error, res)) report(log, ctx, response, error, () => quota.admit(now()))
      if (!res.headersSent) await endOfTurn()
      // Whoever broke off has had its answer from the server, or is gone.
      if (!res.headersSent) sendError(ctx, response, options)
    }
    if (begun === 0) return
    const took = performance.now() - begun
    observer?.answered(routeOf(ctx), ctx.method, ctx.status, took / 1_000)
    if (told) log.debug({ ...lineOf(ctx), status: ctx.status, ms: Math.round(took) }, 'answered')
  }
}

const sendError = (ctx: Context, response: ErrorResponse, { log, publicUrl }: HttpOptions): void => {
  const { req, res, state } = ctx
  for (const name in response.headers) res.setHeader(name, response.headers[name] ?? '')
  res.setHeader('Cache-Control', 'no-store')
  // A client that still waits to be told to go on may send its body, or its next request: nobody could tell which.
  if (!req.complete && req.headers.expect !== undefined) res.setHeader('Connection', 'close')
  if (state.rollcall.offersPage && prefersPage(ctx)) {
    try {
      sendPage(ctx, response.status, errorPage(languageOf(ctx), response, state.rollcall.requestId, publicUrl))
      return
    } catch (error) {
      log.error({ request_id: state.rollcall.requestId, err: error }, 'the page of an error could not be made')
    }
  }
  sendJson(ctx, response.status, response.body)
}

// The pattern, never the path: ids and link tokens are in it.
const routeOf = ({ _matchedRoute }: Context & { _matchedRoute?: unknown }): string | undefined =>
  typeof _matchedRoute === 'string' ? _matchedRoute : undefined

const lineOf = (ctx: Context) => ({
  request_id: ctx.state.rollcall.requestId,
  method: ctx.method,
  route: routeOf(ctx) ?? null,
})

const report = (
  log: HttpLog,
  ctx: Context,
  { status, name }: ErrorResponse,
  error: unknown,
  admit: () => number | undefined,
): void => {
  if (status === 500) log.error({ ...lineOf(ctx), status, err: error }, 'a request failed')
  else if (status === 503) log.warn({ ...lineOf(ctx), status, err: error }, 'a request could not be served')
  else if (status === 401 || status === 403 || status === 429) {
    const withheld = admit()
    if (withheld !== undefined) log.info({ ...lineOf(ctx), status, error: name, withheld }, 'a request was refused')
  }
}
