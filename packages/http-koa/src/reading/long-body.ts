import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Transform } from 'node:stream'
import { MalformedRequest } from '@rollcall/core'
import { brokenBody, codingOf, decompressionFor, IDENTITY, requireBody } from './content-coding.ts'

/**
 * The bytes of a body of any length, decompressed, no faster than they are taken. Whoever stops early leaves the
 * connection usable: the rest is read, and thrown away.
 * @throws {HttpError} the body is compressed in a way that is not taken
 */
export const longBody = (req: IncomingMessage, res: ServerResponse): AsyncGenerator<Uint8Array> => {
  if (req.headers['content-range'] !== undefined)
    throw new MalformedRequest('Send the whole body, without Content-Range.')
  const coding = codingOf(req)
  return bytesOf(req, res, coding === IDENTITY ? undefined : decompressionFor(coding).stream())
}

async function* bytesOf(
  req: IncomingMessage,
  res: ServerResponse,
  decompressor: Transform | undefined,
): AsyncGenerator<Uint8Array> {
  requireBody(req)
  // HTTP/1.0 knows no such answer (RFC 9110 section 10.1.1).
  if (req.headers.expect !== undefined && req.httpVersion !== '1.0') res.writeContinue()
  try {
    yield* decompressor === undefined ? req.iterator({ destroyOnReturn: false }) : decompressed(req, decompressor)
  } catch (error) {
    throw asRefusal(error)
  } finally {
    req.unpipe()
    req.resume()
  }
}

async function* decompressed(req: IncomingMessage, decompressor: Transform): AsyncGenerator<Uint8Array> {
  // A decompressor is not told that its source broke off, and would wait for ever.
  const breakOff = (): void => {
    if (!req.complete) decompressor.destroy(new MalformedRequest('The request broke off.'))
  }
  req.once('close', breakOff)
  try {
    yield* req.pipe(decompressor)
  } finally {
    req.off('close', breakOff)
    decompressor.destroy()
  }
}

// Errors of Node's and zlib's have nothing but a code to tell them by.
const asRefusal = (error: unknown): unknown => (error instanceof Error && 'code' in error ? brokenBody() : error)
