import type { ErrorResponse } from '../error-response.ts'
import { errorResponseTo } from '../error-response.ts'
import type { AppStep, Context } from '../exchange.ts'
import { createExchange } from '../exchange.ts'
import type { HttpLog, HttpOptions } from '../http-options.ts'
import { errorPage } from '../pages/error-page.ts'
import { languageOf } from '../pages/language.ts'
import { prefersPage } from '../pages/prefers-page.ts'
import { sendPage } from '../pages/send-page.ts'
import { RefusalQuota } from '../refusal-quota.ts'
import { requestIdOf } from '../request-id.ts'
import { sendJson } from '../send.ts'

/** The outermost step: names the request, and answers whatever the others throw, so that nothing else has to. */
export const answer = (options: HttpOptions): AppStep => {
  const { log, now = Date.now } = options
  const quota = new RefusalQuota()
  return async (ctx, next) => {
    const { req, res, state } = ctx
    const requestId = requestIdOf(req)
    state.rollcall = createExchange(requestId)
    const begun = log.isLevelEnabled?.('debug') ? performance.now() : undefined
    res.setHeader('X-Content-Type-Options', 'nosniff')
    res.setHeader('X-Request-Id', requestId)
    try {
      await next()
    } catch (error) {
      const response = errorResponseTo(error, requestId)
      // Whoever broke off has had its answer from the server, or is gone.
      if (!res.headersSent) sendError(ctx, response, options)
      report(log, ctx, response, error, () => quota.admit(now()))
    }
    if (begun !== undefined)
      log.debug({ ...lineOf(ctx), status: ctx.status, ms: Math.round(performance.now() - begun) }, 'answered')
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

const lineOf = ({ method, state, _matchedRoute }: Context & { _matchedRoute?: unknown }) => ({
  request_id: state.rollcall.requestId,
  method,
  // The pattern, never the path: ids and link tokens are in it.
  route: typeof _matchedRoute === 'string' ? _matchedRoute : null,
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
  else if (status === 401 || status === 403) {
    const withheld = admit()
    if (withheld !== undefined) log.info({ ...lineOf(ctx), status, error: name, withheld }, 'a request was refused')
  }
}
