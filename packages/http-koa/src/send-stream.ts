import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import type { Context } from './exchange.ts'

/** A response body that is produced while it is sent. */
export interface Streamed {
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
