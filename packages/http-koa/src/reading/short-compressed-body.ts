import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { MalformedRequest } from '@rollcall/core'
import type { HttpError } from '../http-error.ts'
import { brokenBody } from './content-coding.ts'

export interface ShortBodyLimits {
  /** Bytes after decompression. */
  readonly longest: number
  /** Bytes before it, from which nothing need come out. */
  readonly longestCompressed: number
  readonly tooLarge: () => HttpError
}

/**
 * A compressed body, decompressed: one character per byte. Whatever comes of it, the decompressor's errors are heard to
 * the end: one that came when nobody listened any more would end the process.
 * @throws {HttpError} it is too long
 * @throws {MalformedRequest} it broke off, or is not compressed like that
 */
export const shortCompressedBody = (
  req: IncomingMessage,
  decompressor: Transform,
  { longest, longestCompressed, tooLarge }: ShortBodyLimits,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    let received = 0
    const giveUp = (error: Error): void => {
      req.unpipe(decompressor)
      decompressor.destroy()
      reject(error)
    }
    decompressor.on('error', () => giveUp(brokenBody()))
    decompressor.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > longest) giveUp(tooLarge())
      else chunks.push(chunk)
    })
    decompressor.on('end', () => resolve(Buffer.concat(chunks).toString('latin1')))
    req.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > longestCompressed) giveUp(tooLarge())
    })
    // A decompressor is not told that its source broke off, and would wait for ever.
    req.once('close', () => {
      if (!req.complete) giveUp(new MalformedRequest('The request broke off.'))
    })
    req.pipe(decompressor)
  })
