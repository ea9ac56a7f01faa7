import type { Guarded } from '@rollcall/core'
import { callerOf, type Handler, pathParameter } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'

/** Refuses, before the body is read, a caller that the use case would refuse; the policy in the core decides. */
export const authorize =
  ({ useCases }: HttpOptions, guarded: Guarded, parameter?: string): Handler =>
  (ctx, next) => {
    const named = parameter === undefined ? undefined : pathParameter(ctx, parameter)
    const target = named === undefined ? undefined : (guarded.targetOf?.(named) ?? named)
    useCases.access.require(callerOf(ctx), guarded, target)
    return next()
  }
