import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { requestIdOf } from '@rollcall/platform-node'
import { type ErrorResponse, errorResponseTo } from '../error-response.ts'
import { type AppMiddleware, type Context, Exchange } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { mountedAt, sendMounted } from '../mounted-handler.ts'
import { errorPage } from '../pages/error-page.ts'
import { SHIPPED_PAGES } from '../pages/pages.ts'
import { languageOf, prefersPage, sendPage, shorten } from '../pages/send-page.ts'
import { sendJson } from '../send.ts'
import { isTooLate } from '../server/server-error.ts'
import { logError, RefusalQuota, requestFields, routeOf } from './request-log.ts'

/** The outermost middleware: gives the request its id, answers every thrown error, and logs the request. */
export const errorHandler = (options: HttpOptions): AppMiddleware => {
  const { log, observer, tracing, now = Date.now, pages = SHIPPED_PAGES } = options
  const quota = new RefusalQuota()
  const answer: AppMiddleware = async (ctx, next) => {
    const { req, res, state } = ctx
    const requestId = requestIdOf(req)
    state.rollcall = new Exchange(requestId, pages)
    const debug = log.isLevelEnabled?.('debug') === true
    const start = debug || observer !== undefined ? performance.now() : 0
    res.setHeader('X-Content-Type-Options', 'nosniff')
    res.setHeader('X-Request-Id', requestId)
    try {
      await next()
    } catch (error) {
      const response = errorResponseTo(error, requestId)
      if (!isTooLate(error, res)) logError(log, ctx, response, error, () => quota.admit(now()))
      // If the request broke off, the server has answered it already, or the client is gone.
      if (!res.headersSent) sendError(ctx, error, response, options)
    }
    if (!res.headersSent) await endOfTurn()
    if (start === 0) return
    const took = performance.now() - start
    observer?.answered(routeOf(ctx), ctx.method, ctx.status, took / 1_000)
    if (debug) log.debug({ ...requestFields(ctx), status: ctx.status, ms: Math.round(took) }, 'answered')
  }
  if (tracing === undefined) return answer
  return (ctx, next) => {
    const surround = tracing.begin(ctx.req)
    if (surround === undefined) return answer(ctx, next)
    return surround(async () => {
      await answer(ctx, next)
      return { route: routeOf(ctx), status: ctx.status }
    })
  }
}

const sendError = (
  ctx: Context,
  error: unknown,
  response: ErrorResponse,
  { log, publicUrl, mounted }: HttpOptions,
): void => {
  const { req, res, state } = ctx
  for (const name in response.headers) res.setHeader(name, response.headers[name] ?? '')
  res.setHeader('Cache-Control', 'no-store')
  // A client that still waits for 100 Continue may send its body or its next request: there is no way to tell which.
  if (!req.complete && req.headers.expect !== undefined) res.setHeader('Connection', 'close')
  const other = mountedAt(ctx, mounted)
  if (other !== undefined) {
    sendMounted(ctx, other.errorAnswer(error, response))
    return
  }
  if (state.rollcall.offersPage) shorten(req.headers)
  if (state.rollcall.offersPage && prefersPage(ctx)) {
    const { requestId } = state.rollcall
    try {
      sendPage(ctx, response.status, errorPage(languageOf(ctx), response, { requestId, publicUrl, path: ctx.path }))
      return
    } catch (error) {
      log.error({ request_id: state.rollcall.requestId, err: error }, 'the page of an error could not be made')
    }
  }
  sendJson(ctx, response.status, response.body)
}

/** More would only keep more requests in memory at the same time. */
const MOST_TOGETHER = 50

let turn: Promise<void> | undefined
let waiting = 0

/**
 * Resolves after what came in with this turn of the event loop was handled. Answers that wait for it go out together:
 * their reader wakes once for many, not once for each. That makes twice as many refusals a second, and a tenth more
 * confirmations and deletions.
 */
const endOfTurn = (): Promise<void> | undefined => {
  if (waiting === MOST_TOGETHER) return undefined
  waiting++
  turn ??= nextTurnOfTheLoop().then(() => {
    turn = undefined
    waiting = 0
  })
  return turn
}
