import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createGunzip, createInflate, gunzipSync, inflateSync } from 'node:zlib'
import { MalformedRequest } from '@rollcall/core'
import { HttpError } from '../http-error.ts'

/** The body as it is. */
export const IDENTITY = 'identity'

/** How one coding is undone: all at once, or as the bytes come. */
export interface Decompression {
  readonly atOnce: (
    bytes: Uint8Array,
    options: { readonly maxOutputLength: number; readonly chunkSize: number },
  ) => Buffer
  readonly stream: () => Transform
}

const GZIP: Decompression = { atOnce: gunzipSync, stream: createGunzip }

// Those whose window is 32 KiB. That of brotli may be 16 MiB and that of zstd more, and the sender chooses: a body of
// fifty bytes would cost that much memory, and some 50 ms of a processor, before a byte of it came out.
const DECOMPRESSIONS: Readonly<Record<string, Decompression | undefined>> = {
  gzip: GZIP,
  'x-gzip': GZIP,
  deflate: { atOnce: inflateSync, stream: createInflate },
}

/** What the service takes besides bodies as they are, as `Accept-Encoding` has it (RFC 7694 section 3). */
export const ACCEPTED_CODINGS = 'gzip, deflate'

/** How the body of a request is compressed, in lower case. */
export const codingOf = ({ headers }: IncomingMessage): string =>
  headers['content-encoding']?.trim().toLowerCase() || IDENTITY

/** @throws {HttpError} the body is compressed in a way that is not taken */
export const decompressionFor = (coding: string): Decompression => {
  const found = Object.hasOwn(DECOMPRESSIONS, coding) ? DECOMPRESSIONS[coding] : undefined
  if (found !== undefined) return found
  throw new HttpError('UnsupportedMediaType', 'Send the body as it is, or compressed with gzip or deflate.', {
    'Accept-Encoding': ACCEPTED_CODINGS,
  })
}

/**
 * Whoever begins to read after the client has gone would wait for ever, or have an error that looks like one of ours.
 * @throws {MalformedRequest} the client went away before its body was read
 */
export const requireBody = ({ destroyed }: IncomingMessage): void => {
  if (destroyed) throw new MalformedRequest('The request broke off.')
}

export const brokenBody = (): MalformedRequest =>
  new MalformedRequest('The body broke off, or is not compressed as its Content-Encoding says. Send it again.')
