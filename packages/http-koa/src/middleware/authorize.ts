import type { AuditAction, Permission } from '@rollcall/core'
import { callerOf, type Handler, pathParameter } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'

/** Refuses, before the body is read, a caller that the use case would refuse; the policy in the core decides. */
export const authorize =
  ({ useCases }: HttpOptions, permission: Permission, action: AuditAction, parameter?: string): Handler =>
  (ctx, next) => {
    const target = parameter === undefined ? undefined : pathParameter(ctx, parameter)
    useCases.access.require(callerOf(ctx), permission, { action, target })
    return next()
  }
