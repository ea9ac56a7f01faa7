import { Unauthenticated } from '@rollcall/core'
import type { ErrorResponse } from '../error-response.ts'
import type { Context } from '../exchange.ts'
import type { HttpLog } from '../http-options.ts'

export const logError = (
  log: HttpLog,
  ctx: Context,
  { status, name }: ErrorResponse,
  error: unknown,
  admit: () => number | undefined,
): void => {
  if (status === 500) log.error({ ...requestFields(ctx), status, err: error }, 'a request failed')
  else if (status === 503) log.warn({ ...requestFields(ctx), status, err: error }, 'a request could not be served')
  else if (status === 401 || status === 403 || status === 429) {
    const withheld = admit()
    if (withheld !== undefined)
      log.info({ ...requestFields(ctx), status, error: name, ...whyRefused(error), withheld }, 'a request was refused')
  }
}

const whyRefused = (error: unknown): object =>
  error instanceof Unauthenticated && error.failedCheck !== undefined ? { failed_check: error.failedCheck } : {}

export const requestFields = (ctx: Context) => ({
  request_id: ctx.state.rollcall.requestId,
  method: ctx.method,
  route: routeOf(ctx) ?? null,
})

// The pattern, never the path: ids and link tokens are in it.
export const routeOf = ({ _matchedRoute }: Context & { _matchedRoute?: unknown }): string | undefined =>
  typeof _matchedRoute === 'string' ? _matchedRoute : undefined

const LINES_PER_SECOND = 10
const SECOND = 1_000

/** Limits the log lines per second, so that a flood of refusals does not flood the log. */
export class RefusalQuota {
  #second = 0
  #lines = 0
  #withheld = 0

  /** How many lines were withheld since the last admitted one; undefined if this one is withheld too. */
  admit(now: number): number | undefined {
    const second = Math.floor(now / SECOND)
    if (second !== this.#second) {
      this.#second = second
      this.#lines = 0
    }
    if (++this.#lines > LINES_PER_SECOND) {
      this.#withheld++
      return undefined
    }
    const withheld = this.#withheld
    this.#withheld = 0
    return withheld
  }
}
