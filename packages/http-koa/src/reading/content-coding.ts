import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createGunzip, createInflate, gunzipSync, inflateSync } from 'node:zlib'
import { HttpError } from '../http-error.ts'

/** How a content coding is undone: all bytes at once, or as they come. */
export interface Decompression {
  readonly atOnce: (
    bytes: Uint8Array,
    options: { readonly maxOutputLength: number; readonly chunkSize: number },
  ) => Buffer
  readonly stream: () => Transform
}

const GZIP: Decompression = { atOnce: gunzipSync, stream: createGunzip }

// Codings whose window is 32 KiB. That of brotli may be 16 MiB and that of zstd more, and the sender chooses: a body of
// fifty bytes would cost that much memory, and some 50 ms of a processor, before it produces a byte.
const DECOMPRESSIONS: Readonly<Record<string, Decompression | undefined>> = {
  gzip: GZIP,
  'x-gzip': GZIP,
  deflate: { atOnce: inflateSync, stream: createInflate },
}

/** The supported codings, as the value of `Accept-Encoding` (RFC 7694 section 3). */
const ACCEPTED_CODINGS = 'gzip, deflate'

/**
 * How to decompress the body of the request; undefined if it is not compressed.
 * @throws {HttpError} its coding is not supported
 */
export const decompressionOf = ({ headers }: IncomingMessage): Decompression | undefined => {
  const coding = headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (coding === 'identity') return undefined
  const found = Object.hasOwn(DECOMPRESSIONS, coding) ? DECOMPRESSIONS[coding] : undefined
  if (found !== undefined) return found
  throw new HttpError('UnsupportedMediaType', 'Send the body as it is, or compressed with gzip or deflate.', {
    'Accept-Encoding': ACCEPTED_CODINGS,
  })
}
