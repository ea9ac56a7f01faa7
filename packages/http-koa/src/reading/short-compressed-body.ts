import type { IncomingMessage } from 'node:http'
import { MalformedRequest } from '@rollcall/core'
import type { HttpError } from '../http-error.ts'
import { brokenBody, type Decompression } from './content-coding.ts'

export interface ShortBodyLimits {
  /** Bytes after decompression. */
  readonly longest: number
  /** Bytes before it, from which nothing need come out. */
  readonly longestCompressed: number
  readonly tooLarge: () => HttpError
}

/**
 * A compressed body, decompressed: one character per byte. It is decompressed once it is there, in one go: so many small
 * bodies at once hold what they sent, and not a decompressor each, and what is refused is free at once.
 * @throws {HttpError} it is too long
 * @throws {MalformedRequest} it broke off, or is not compressed like that
 */
export const shortCompressedBody = async (
  req: IncomingMessage,
  { atOnce }: Decompression,
  { longest, longestCompressed, tooLarge }: ShortBodyLimits,
): Promise<string> => {
  const bytes = await bytesOf(req, longestCompressed, tooLarge)
  try {
    // One byte of room to spare shows in the first round that there is more.
    return atOnce(bytes, { maxOutputLength: longest, chunkSize: longest + 1 }).toString('latin1')
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : brokenBody()
  }
}

const bytesOf = (req: IncomingMessage, longest: number, tooLarge: () => HttpError): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const take = (chunk: Buffer): void => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= longest) return
      req.off('data', take)
      reject(tooLarge())
    }
    req.on('data', take)
    req.once('end', () => resolve(Buffer.concat(chunks)))
    req.once('close', () => {
      if (!req.readableEnded) reject(new MalformedRequest('The request broke off.'))
    })
  })
