import type { IncomingMessage } from 'node:http'
import { MalformedRequest } from '@rollcall/core'
import bodyParser from 'koa-bodyparser'
import type { Handler, RouteContext } from '../exchange.ts'
import { HttpError } from '../http-error.ts'
import { brokenBody, codingOf, decompressionFor, IDENTITY, requireBody } from '../reading/content-coding.ts'
import { Fields, fieldsOfForm, noFields } from '../reading/fields.ts'
import { bodyKindOf } from '../reading/media-type.ts'
import { readJson } from '../reading/read-json.ts'
import { shortCompressedBody } from '../reading/short-compressed-body.ts'

const LONGEST = 16 * 1024
// What does not compress grows a little: by headers, and by a few bytes for every block.
const LONGEST_COMPRESSED = LONGEST + 1024

// JSON is taken as plain bytes, because the parser's own reading would take any bytes for UTF-8, and put the whole body
// on the error it throws. One character per byte, for both: what they mean is decided where they are parsed.
const options = {
  enableTypes: ['form', 'text'],
  extendTypes: { text: ['application/json'] },
  encoding: 'binary',
  formLimit: LONGEST,
  textLimit: LONGEST,
  qs: { parse: fieldsOfForm },
}
const read = bodyParser(options as unknown as bodyParser.Options)

/**
 * Reads the body into fields: a form or a JSON object, UTF-8, at most 16 KiB after decompression.
 * @see RFC 9110 section 8.3, and section 14.5 for why `Content-Range` is refused
 */
export const parseBody: Handler = async (ctx, next) => {
  const { req, res, state } = ctx
  if (req.headers['content-range'] !== undefined)
    throw new MalformedRequest('Send the whole body, without Content-Range.')
  if (req.headers['content-type'] !== undefined || hasBody(req)) {
    try {
      state.rollcall.fields = await fieldsIn(ctx)
    } catch (error) {
      // Whatever of the body is still to come is thrown away, so that the connection stays usable.
      req.unpipe()
      req.resume()
      throw asRefusal(error)
    }
  }
  if (res.headersSent) throw new MalformedRequest('The request broke off.')
  return await next()
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const fieldsIn = async (ctx: RouteContext): Promise<Fields> => {
  const { req } = ctx
  const kind = bodyKindOf(req.headers['content-type'] ?? '')
  if (kind === undefined) throw unsupported('Send application/x-www-form-urlencoded or application/json, in UTF-8.')
  const body = hasBody(req) ? await readBody(ctx) : undefined
  if (body instanceof Fields) return body
  if (kind === 'json') return readJson(body ?? '')
  return body === undefined ? noFields() : fieldsOfForm(body)
}

const readBody = async (ctx: RouteContext): Promise<Fields | string | undefined> => {
  const { req, res, request } = ctx
  if (request.body !== undefined) throw new Error('the body was read before Rollcall could; mount its router first')
  // The parser knows neither parameters that it cannot read, nor codings in capitals.
  req.headers['content-type'] = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  const coding = codingOf(req)
  const decompression = coding === IDENTITY ? undefined : decompressionFor(coding)
  if (req.headers['content-encoding'] !== undefined) req.headers['content-encoding'] = coding
  if (Number(req.headers['content-length'] ?? 0) > (decompression ? LONGEST_COMPRESSED : LONGEST)) throw tooLarge()
  requireBody(req)
  // HTTP/1.0 knows no such answer (RFC 9110 section 10.1.1).
  if (req.headers.expect !== undefined && req.httpVersion !== '1.0') res.writeContinue()
  if (decompression) {
    const limits = { longest: LONGEST, longestCompressed: LONGEST_COMPRESSED, tooLarge }
    return await shortCompressedBody(req, decompression, limits)
  }
  await read(ctx, DONE)
  const body: unknown = request.body
  return body instanceof Fields || typeof body === 'string' ? body : undefined
}

const DONE = async (): Promise<void> => undefined

const tooLarge = () => new HttpError('PayloadTooLarge', 'Send at most 16 KiB, counted after decompression.')

const unsupported = (message: string) => new HttpError('UnsupportedMediaType', message)

// The parser's errors have nothing but a status, or a code of Node's, to tell them by.
const asRefusal = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof HttpError || error instanceof MalformedRequest) return error
  const status = 'status' in error ? error.status : undefined
  if (status === 413) return tooLarge()
  return status === 400 || 'code' in error ? brokenBody() : error
}
