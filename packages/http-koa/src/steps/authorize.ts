import type { Guarded } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'

/** Refuses before the body is read whom the use case would refuse anyway; the policy, in the core, decides. */
export const authorize =
  ({ useCases }: HttpOptions, guarded: Guarded, parameter?: string): Step =>
  (ctx, next) => {
    const named = parameter === undefined ? undefined : pathParameter(ctx, parameter)
    const target = named === undefined ? undefined : (guarded.targetOf?.(named) ?? named)
    useCases.access.require(callerOf(ctx), guarded, target)
    return next()
  }
