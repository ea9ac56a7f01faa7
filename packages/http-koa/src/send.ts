import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { PreconditionFailed } from '@rollcall/core'
import { formatHttpDate } from '@rollcall/platform-node'
import { dateOf, entityTagOf, isExpected, isNotModified } from './conditional-request.ts'
import type { Context } from './exchange.ts'

/** Sends JSON, or content of another type. */
export const sendJson = (ctx: Context, status: number, body: string | Buffer, type = 'application/json'): void => {
  ctx.status = status
  ctx.res.setHeader('Content-Type', type)
  ctx.body = body
}

/** Sends the result of an action, which no cache may keep. */
export const sendResult = (ctx: Context, result: unknown, status = 200): void => {
  ctx.res.setHeader('Cache-Control', 'no-store')
  sendJson(ctx, status, JSON.stringify(result))
}

/** Sends a record as a PATCH left it, with the validator that a GET of it has. */
export const sendChanged = (ctx: Context, record: unknown, state: unknown): void => {
  const text = JSON.stringify(record)
  ctx.res.setHeader('ETag', entityTagOf(text, state === undefined ? text : JSON.stringify(state)))
  sendResult(ctx, record)
}

export const sendNothing = (ctx: Context): void => {
  ctx.status = 204
  ctx.body = null
}

/** Content that stays the same for many requests. All answers share its bytes, so that unread ones take no memory. */
export interface Document {
  readonly bytes: Buffer
  readonly entityTag: string
}

export const documentOf = (content: string): Document => ({
  bytes: Buffer.from(content),
  entityTag: entityTagOf(content),
})

interface Representation {
  /** A record, or content that is shared. */
  readonly body?: Document
  readonly record?: unknown
  /** The part of the record that its entity tag is about; by default all of it. */
  readonly state?: unknown
  /** By default JSON. */
  readonly type?: string
  /** Which caches may keep a copy; by default only that of the caller, which must revalidate it each time. */
  readonly cacheControl?: string
  /** Milliseconds; absent if the record has no such time. */
  readonly lastModified?: number | undefined
  readonly now: number
}

/**
 * Sends a representation with its validators, or 304 if the client already has it.
 * @throws {PreconditionFailed} it is not what the client expects
 */
export const sendRepresentation = (ctx: Context, representation: Representation): void => {
  const { res } = ctx
  const { body, record, state, type, cacheControl, lastModified, now } = representation
  const bytes = body?.bytes ?? JSON.stringify(record)
  const entityTag =
    body?.entityTag ?? entityTagOf(bytes.toString(), state === undefined ? undefined : JSON.stringify(state))
  if (!isExpected(ctx.headers, { entityTag, lastModified })) throw new PreconditionFailed()
  res.setHeader('ETag', entityTag)
  res.setHeader('Cache-Control', cacheControl ?? 'private, no-cache')
  if (cacheControl === undefined) res.setHeader('Vary', 'Authorization')
  if (lastModified !== undefined) {
    res.setHeader('Last-Modified', formatHttpDate(dateOf(lastModified, now)))
    // By the same clock: nothing may be younger than its answer (RFC 9110 section 8.8.2.1).
    res.setHeader('Date', formatHttpDate(now))
  }
  if (isNotModified(ctx.headers, { entityTag, lastModified }, now)) {
    ctx.status = 304
    ctx.body = null
  } else sendJson(ctx, 200, bytes, type)
}

/** A response body that is produced while it is sent. */
interface Streamed {
  readonly type: string
  readonly pieces: AsyncIterable<string>
  /** Replaces the default, which lets the client keep a copy that it must revalidate. */
  readonly cacheControl?: string | undefined
  /** Makes the last piece after an error on the way; without it, the answer breaks off. */
  readonly lastPiece?: ((error: unknown) => string) | undefined
}

/**
 * Answers piece by piece, no faster than the client reads, and yields to the event loop between two pieces. The answer
 * begins with the first piece: until then, an error is answered like any other.
 * @throws whatever the pieces throw
 */
export const sendStream = async (
  ctx: Context,
  { type, pieces, cacheControl = 'private, no-cache', lastPiece }: Streamed,
): Promise<void> => {
  const { req, res } = ctx
  ctx.status = 200
  res.setHeader('Content-Type', type)
  res.setHeader('Cache-Control', cacheControl)
  res.setHeader('Vary', 'Authorization')
  // Node sets this by itself, but not for HEAD.
  if (req.httpVersion === '1.1') res.setHeader('Transfer-Encoding', 'chunked')
  if (ctx.method !== 'HEAD') await write(ctx, pieces, lastPiece)
  ctx.respond = false
  res.end()
}

const write = async (ctx: Context, pieces: AsyncIterable<string>, lastPiece: Streamed['lastPiece']): Promise<void> => {
  const { res } = ctx
  try {
    for await (const piece of pieces) {
      if (res.destroyed) return
      ctx.respond = false
      if (!res.write(piece)) await roomIn(res)
      await nextTurnOfTheLoop()
    }
  } catch (error) {
    breakOff(res, lastPiece?.(error))
    throw error
  }
}

const OF_THE_STREAM = ['Content-Type', 'Content-Disposition', 'Vary', 'Transfer-Encoding']

const breakOff = (res: ServerResponse, lastPiece: string | undefined): void => {
  if (!res.headersSent) for (const name of OF_THE_STREAM) res.removeHeader(name)
  else if (lastPiece !== undefined && !res.destroyed) res.end(lastPiece)
  // An incomplete answer must not look complete.
  else res.destroy()
}

/** Resolves when there is room for more, or the connection is closed. */
const roomIn = (res: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done)
      res.off('close', done)
      resolve()
    }
    res.on('drain', done)
    res.on('close', done)
    if (res.destroyed) done()
  })
