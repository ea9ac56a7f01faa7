import type { RouterContext } from '@koa/router'
import type { Caller } from '@rollcall/core'
import type { Middleware, Next, ParameterizedContext } from 'koa'
import type { Pages } from './pages/pages.ts'
import { type Fields, noFields } from './reading/fields.ts'

/** What the steps of one request hand on to one another. */
export interface Exchange {
  readonly requestId: string
  readonly pages: Pages
  caller: Caller | undefined
  /** What the body said; nothing before it was read. */
  fields: Fields
  /** The endpoint also speaks HTML, to whoever prefers it; its errors do likewise. */
  offersPage: boolean
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

export const createExchange = (requestId: string, pages: Pages): Exchange => ({
  requestId,
  pages,
  caller: undefined,
  fields: noFields(),
  offersPage: false,
})

/** @throws {Error} the route has no `authenticate` step before the one that asks */
export const callerOf = ({ state }: RouteContext): Caller => {
  const { caller } = state.rollcall
  if (caller === undefined) throw new Error('a step that needs a caller comes before the one that authenticates it')
  return caller
}

/** A parameter of the path, decoded once; empty where the route has none of that name. */
export const pathParameter = ({ params }: RouteContext, name: string): string => params[name] ?? ''
