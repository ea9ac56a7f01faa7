import type { AppStep } from './exchange.ts'
import { describeServer } from './steps/describe-server.ts'
import { normaliseTarget } from './steps/normalise-target.ts'
import { reflectTrace } from './steps/reflect-trace.ts'
import { refuseBrokenRequest } from './steps/refuse-broken-request.ts'

/** What every request goes through, whatever its path: one step of Koa's, because each one costs every request. */
export const screen =
  ({ trace }: { readonly trace: boolean }): AppStep =>
  (ctx, next) => {
    normaliseTarget(ctx)
    refuseBrokenRequest(ctx)
    if (ctx.req.url === '*') return describeServer(ctx)
    if (trace && ctx.req.method === 'TRACE') return reflectTrace(ctx)
    return next()
  }
