import { Unauthenticated } from '@rollcall/core'
import type { Handler } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'

const CREDENTIALS = /^bearer +([\w.~+/-]+=*)$/i
const SCHEME = /^bearer(?: |$)/i

/** Identifies the caller. The token is read from the Authorization header field only (RFC 6750 section 2.1). */
export const authenticate = ({ useCases }: HttpOptions): Handler => {
  return async (ctx, next) => {
    const exchange = ctx.state.rollcall
    const token = tokenIn(ctx.req.headers.authorization)
    exchange.caller = await useCases.authenticate.execute({ token, channel: 'http', requestId: exchange.requestId })
    return await next()
  }
}

const tokenIn = (authorization: string | undefined): string | undefined => {
  if (authorization === undefined) return undefined
  const token = CREDENTIALS.exec(authorization)?.[1]
  if (token === undefined && SCHEME.test(authorization) && authorization.length > 'bearer '.length)
    throw new Unauthenticated("Send one access token, as in 'Authorization: Bearer <ACCESS_TOKEN>'.", {
      tokenRefused: true,
    })
  return token
}
