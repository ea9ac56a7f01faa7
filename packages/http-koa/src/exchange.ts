import type { RouterContext } from '@koa/router'
import type { Caller } from '@rollcall/core'
import type { Middleware, Next, ParameterizedContext } from 'koa'
import type { Pages } from './pages/pages.ts'
import { type Fields, NO_FIELDS } from './reading/fields.ts'

const NOTHING = new Uint8Array()

/** What the middleware of one request passes on to the next. */
export class Exchange {
  readonly requestId: string
  readonly pages: Pages
  caller: Caller | undefined = undefined
  /** When that was asked, by the clock of this process. */
  admittedAt = 0
  /** Whether an error is a page to clients that prefer HTML: but for endpoints that speak to programs alone. */
  offersPage = true
  /** The fields of the body; empty before it was read. */
  fields: Fields = NO_FIELDS
  picture: Uint8Array = NOTHING

  constructor(requestId: string, pages: Pages) {
    this.requestId = requestId
    this.pages = pages
  }
}

/** One key, so that a host application's own state stays untouched. */
export interface ExchangeState {
  rollcall: Exchange
}

export type Context = ParameterizedContext<ExchangeState>
export type RouteContext = RouterContext<ExchangeState>

/** Middleware that runs before or without a route. */
export type AppMiddleware = Middleware<ExchangeState>
/** A handler of a route, or middleware in front of one. */
export type Handler = (ctx: RouteContext, next: Next) => unknown

/** @throws {Error} the route has no `authenticate` before the handler */
export const callerOf = ({ state }: RouteContext): Caller => {
  const { caller } = state.rollcall
  if (caller === undefined) throw new Error('a handler that needs a caller runs before the caller is authenticated')
  return caller
}

/** A parameter of the path, decoded once; empty if the route has none of that name. */
export const pathParameter = ({ params }: RouteContext, name: string): string => params[name] ?? ''
