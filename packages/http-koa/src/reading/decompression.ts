import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createGunzip, createInflate, gunzipSync, inflateSync } from 'node:zlib'
import { HttpError } from '../error-response.ts'

/** How a content coding is undone: all bytes at once, or as they come. */
export interface Decompression {
  readonly atOnce: typeof gunzipSync
  readonly stream: () => Transform
}

const GZIP: Decompression = { atOnce: gunzipSync, stream: createGunzip }

// Codings whose window is 32 KiB. That of brotli may be 16 MiB and that of zstd more, and the sender chooses: a body of
// fifty bytes would cost that much memory, and some 50 ms of a processor, before it produces a byte.
const DECOMPRESSIONS: ReadonlyMap<string, Decompression> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', { atOnce: inflateSync, stream: createInflate }],
])

/**
 * How to decompress the body of the request; undefined if it is not compressed.
 * @throws {HttpError} its coding is not supported
 */
export const decompressionOf = ({ headers }: IncomingMessage): Decompression | undefined => {
  const coding = headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (coding === 'identity') return undefined
  const found = DECOMPRESSIONS.get(coding)
  if (found !== undefined) return found
  // RFC 7694 section 3: what is supported.
  throw new HttpError('UnsupportedMediaType', 'Send the body as it is, or compressed with gzip or deflate.', {
    'Accept-Encoding': 'gzip, deflate',
  })
}
