import type { AuditAction, Permission } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'

/** Refuses before the body is read whom the use case would refuse anyway; the policy, in the core, decides. */
export const authorize =
  ({ useCases }: HttpOptions, permission: Permission, action: AuditAction, parameter?: string): Step =>
  (ctx, next) => {
    const target = parameter === undefined ? undefined : pathParameter(ctx, parameter)
    useCases.access.require(callerOf(ctx), permission, { action, target })
    return next()
  }
