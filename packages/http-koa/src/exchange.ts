import type { RouterContext } from '@koa/router'
import type { Caller } from '@rollcall/core'
import type { Middleware, Next, ParameterizedContext } from 'koa'
import type { Pages } from './pages/pages.ts'
import { type Fields, noFields } from './reading/fields.ts'

/** What the steps of one request hand on to one another. */
export class Exchange {
  readonly requestId: string
  readonly pages: Pages
  caller: Caller | undefined = undefined
  /** The endpoint also speaks HTML, to whoever prefers it; its errors do likewise. */
  offersPage = false
  #fields: Fields | undefined = undefined

  constructor(requestId: string, pages: Pages) {
    this.requestId = requestId
    this.pages = pages
  }

  /** What the body said; nothing before it was read. */
  get fields(): Fields {
    this.#fields ??= noFields()
    return this.#fields
  }

  set fields(fields: Fields) {
    this.#fields = fields
  }
}

/** One key, so that a host application's own state is left alone. */
export interface ExchangeState {
  rollcall: Exchange
}

export type Context = ParameterizedContext<ExchangeState>
export type RouteContext = RouterContext<ExchangeState>

/** A step that works before or without a route. */
export type AppStep = Middleware<ExchangeState>
/** A step of a route. */
export type Step = (ctx: RouteContext, next: Next) => unknown

/** @throws {Error} the route has no `authenticate` step before the one that asks */
export const callerOf = ({ state }: RouteContext): Caller => {
  const { caller } = state.rollcall
  if (caller === undefined) throw new Error('a step that needs a caller comes before the one that authenticates it')
  return caller
}

/** A parameter of the path, decoded once; empty where the route has none of that name. */
export const pathParameter = ({ params }: RouteContext, name: string): string => params[name] ?? ''
