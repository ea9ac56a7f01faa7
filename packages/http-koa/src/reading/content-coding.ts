import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { MalformedRequest } from '@rollcall/core'
import { HttpError } from '../http-error.ts'

/** The body as it is. */
export const IDENTITY = 'identity'

const DECOMPRESSORS: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** How the body of a request is compressed, in lower case. */
export const codingOf = ({ headers }: IncomingMessage): string =>
  headers['content-encoding']?.trim().toLowerCase() || IDENTITY

/** @throws {HttpError} the body is compressed in a way that nobody knows */
export const decompressorFor = (coding: string): Transform => {
  const create = Object.hasOwn(DECOMPRESSORS, coding) ? DECOMPRESSORS[coding] : undefined
  if (create === undefined)
    throw new HttpError('UnsupportedMediaType', 'Send the body as it is, or compressed with gzip, deflate or br.')
  return create()
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
