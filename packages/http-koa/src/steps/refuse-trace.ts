import type { AppStep } from '../exchange.ts'
import { EVERY_METHOD } from '../methods.ts'
import { refuseMethod } from './refuse-method.ts'

const refuse = refuseMethod(EVERY_METHOD.filter((method) => method !== 'TRACE'))

/** Where TRACE is off, it is off on every path. */
export const refuseTrace: AppStep = (ctx, next) => (ctx.method === 'TRACE' ? refuse(ctx, next) : next())
