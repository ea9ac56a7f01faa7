import type { IncomingMessage } from 'node:http'
import type { RecordFormat } from '@rollcall/core'
import { HttpError } from '../error-response.ts'
import type { Handler } from '../exchange.ts'
import { decompressionOf } from './decompression.ts'
import { recordFormatOf } from './media-type.ts'

/** @throws {HttpError} it is no file of records */
export const fileFormatOf = ({ headers }: IncomingMessage): RecordFormat => {
  const format = recordFormatOf(headers['content-type'] ?? '')
  if (format !== undefined) return format
  throw new HttpError('UnsupportedMediaType', 'Send application/x-ndjson or text/csv, in UTF-8.')
}

/** Refuses a body that is no file of records, or is compressed in an unknown way, before it is looked at. */
export const requireFile: Handler = ({ req }, next) => {
  fileFormatOf(req)
  decompressionOf(req)
  return next()
}
