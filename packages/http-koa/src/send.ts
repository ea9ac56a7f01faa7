import { formatHttpDate } from '@rollcall/platform-node'
import { entityTagOf } from './conditional/entity-tag.ts'
import { isNotModified } from './conditional/not-modified.ts'
import type { Context } from './exchange.ts'

/** A string of JSON, with exactly that type. */
export const sendJson = (ctx: Context, status: number, body: string): void => {
  ctx.status = status
  ctx.res.setHeader('Content-Type', 'application/json')
  ctx.body = body
}

export const sendNothing = (ctx: Context): void => {
  ctx.status = 204
  ctx.body = null
}

/** Who may keep a copy: only the caller, who must ask again each time; or everybody, as the directive says. */
export type Audience = 'private' | { readonly cacheControl: string }

export interface Representation {
  readonly body: string
  readonly audience: Audience
  /** Milliseconds; where the record has such a time. */
  readonly lastModified?: number | undefined
  readonly now: number
}

/** A representation with its validators, or 304 where the client has it already. */
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

/** What a PUT made, and where it is. */
export const sendCreated = (ctx: Context, location: string, body: string): void => {
  ctx.res.setHeader('Location', location)
  ctx.res.setHeader('Cache-Control', 'no-store')
  sendJson(ctx, 201, body)
}
