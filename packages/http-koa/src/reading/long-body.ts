import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { MalformedRequest } from '@rollcall/core'
import { HttpError } from '../http-error.ts'

const DECOMPRESSORS: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * The bytes of a body of any length, decompressed, no faster than they are taken. Whoever stops early leaves the
 * connection usable: the rest is read, and thrown away.
 * @throws {HttpError} the body is compressed in a way that nobody knows
 */
export const longBody = (req: IncomingMessage, res: ServerResponse): AsyncGenerator<Uint8Array> => {
  if (req.headers['content-range'] !== undefined)
    throw new MalformedRequest('Send the whole body, without Content-Range.')
  const coding = req.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  const decompressor = Object.hasOwn(DECOMPRESSORS, coding) ? DECOMPRESSORS[coding] : undefined
  if (decompressor === undefined && coding !== 'identity')
    throw new HttpError('UnsupportedMediaType', 'Send the body as it is, or compressed with gzip, deflate or br.')
  return bytesOf(req, res, decompressor)
}

async function* bytesOf(
  req: IncomingMessage,
  res: ServerResponse,
  decompressor: (() => Transform) | undefined,
): AsyncGenerator<Uint8Array> {
  // HTTP/1.0 knows no such answer (RFC 9110 section 10.1.1).
  if (req.headers.expect !== undefined && req.httpVersion !== '1.0') res.writeContinue()
  try {
    yield* decompressor === undefined ? req.iterator({ destroyOnReturn: false }) : decompressed(req, decompressor())
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
const asRefusal = (error: unknown): unknown =>
  error instanceof Error && 'code' in error
    ? new MalformedRequest('The body broke off, or is not compressed as its Content-Encoding says. Send it again.')
    : error
