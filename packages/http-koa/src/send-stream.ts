import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import type { Context } from './exchange.ts'

/** What is told while it is being found out. */
export interface Streamed {
  readonly type: string
  readonly pieces: AsyncIterable<string>
  /** Where it is not to be asked about again, but not to be kept at all. */
  readonly cacheControl?: string | undefined
  /** The last piece where something went wrong on the way; without it, the answer breaks off. */
  readonly lastWords?: ((error: unknown) => string) | undefined
}

/**
 * Answers piece by piece, no faster than the client reads, and lets others have their turn between two pieces. The
 * answer begins with the first piece: until then, whatever is thrown is answered as any error.
 * @throws whatever the pieces throw
 */
export const sendStream = async (
  ctx: Context,
  { type, pieces, cacheControl = 'private, no-cache', lastWords }: Streamed,
): Promise<void> => {
  const { req, res } = ctx
  ctx.status = 200
  res.setHeader('Content-Type', type)
  res.setHeader('Cache-Control', cacheControl)
  res.setHeader('Vary', 'Authorization')
  // Node says so by itself, but not to HEAD.
  if (req.httpVersion === '1.1') res.setHeader('Transfer-Encoding', 'chunked')
  if (ctx.method !== 'HEAD') await write(ctx, pieces, lastWords)
  ctx.respond = false
  res.end()
}

const write = async (ctx: Context, pieces: AsyncIterable<string>, lastWords: Streamed['lastWords']): Promise<void> => {
  const { res } = ctx
  try {
    for await (const piece of pieces) {
      if (res.destroyed) return
      ctx.respond = false
      if (!res.write(piece)) await roomIn(res)
      await nextTurnOfTheLoop()
    }
  } catch (error) {
    breakOff(res, lastWords?.(error))
    throw error
  }
}

const OF_THE_STREAM = ['Content-Type', 'Content-Disposition', 'Vary', 'Transfer-Encoding']

const breakOff = (res: ServerResponse, lastWords: string | undefined): void => {
  if (!res.headersSent) for (const name of OF_THE_STREAM) res.removeHeader(name)
  else if (lastWords !== undefined && !res.destroyed) res.end(lastWords)
  // What broke off must not look whole.
  else res.destroy()
}

/** Resolves when there is room for more, or nobody reads any more. */
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
