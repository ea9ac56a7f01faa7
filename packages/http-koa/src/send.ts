import { formatHttpDate } from '@rollcall/platform-node'
import { isNotModified } from './conditional/conditional-request.ts'
import { entityTagOf } from './conditional/entity-tag.ts'
import type { Context } from './exchange.ts'
import { FAILPOINTS } from './failpoints.ts'
import { basePathOf } from './http-options.ts'

/** Sends a string of JSON, as `application/json`. */
export const sendJson = (ctx: Context, status: number, body: string): void => {
  if (FAILPOINTS.beforeAnswer.hasSubscribers) FAILPOINTS.beforeAnswer.publish({ response: ctx.res, status, body })
  ctx.status = status
  ctx.res.setHeader('Content-Type', 'application/json')
  ctx.body = body
}

/** Sends the result of an action, which no cache may keep. */
export const sendResult = (ctx: Context, result: unknown, status = 200): void => {
  ctx.res.setHeader('Cache-Control', 'no-store')
  sendJson(ctx, status, JSON.stringify(result))
}

export const sendNothing = (ctx: Context): void => {
  ctx.status = 204
  ctx.body = null
}

/** Who may keep a copy: only the caller, which must revalidate it each time; or any cache, as the directive says. */
export type Audience = 'private' | { readonly cacheControl: string }

export interface Representation {
  readonly body: string
  readonly audience: Audience
  /** Milliseconds; absent where the record has no such time. */
  readonly lastModified?: number | undefined
  readonly now: number
}

/** Sends a representation with its validators, or 304 if the client already has it. */
export const sendRepresentation = (ctx: Context, { body, audience, lastModified, now }: Representation): void => {
  const { res } = ctx
  const entityTag = entityTagOf(body)
  res.setHeader('ETag', entityTag)
  res.setHeader('Cache-Control', audience === 'private' ? 'private, no-cache' : audience.cacheControl)
  if (audience === 'private') res.setHeader('Vary', 'Authorization')
  if (lastModified !== undefined) res.setHeader('Last-Modified', formatHttpDate(lastModified))
  if (isNotModified(ctx.headers, { entityTag, lastModified }, now)) {
    ctx.status = 304
    ctx.body = null
  } else sendJson(ctx, 200, body)
}

/** Sends what a PUT created, and its location below the public URL. */
export const sendCreated = (ctx: Context, publicUrl: string, path: string, record: unknown): void => {
  ctx.res.setHeader('Location', basePathOf(publicUrl) + path)
  sendResult(ctx, record, 201)
}
