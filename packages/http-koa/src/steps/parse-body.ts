import type { IncomingMessage } from 'node:http'
import { MalformedRequest } from '@rollcall/core'
import bodyParser from 'koa-bodyparser'
import type { RouteContext, Step } from '../exchange.ts'
import { HttpError } from '../http-error.ts'
import { Fields, fieldsOfForm, noFields } from '../reading/fields.ts'
import { bodyKindOf } from '../reading/media-type.ts'
import { readJson } from '../reading/read-json.ts'

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
export const parseBody: Step = async (ctx, next) => {
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
  const { req, request } = ctx
  const kind = bodyKindOf(req.headers['content-type'] ?? '')
  if (kind === undefined) throw unsupported('Send application/x-www-form-urlencoded or application/json, in UTF-8.')
  if (hasBody(req)) await readBody(ctx)
  const { body } = request
  if (body instanceof Fields) return body
  if (kind === 'json') return readJson(typeof body === 'string' ? body : '')
  return noFields()
}

const readBody = async (ctx: RouteContext): Promise<void> => {
  const { req, res, request } = ctx
  if (request.body !== undefined) throw new Error('the body was read before Rollcall could; mount its router first')
  // The parser knows neither parameters that it cannot read, nor codings in capitals.
  req.headers['content-type'] = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  const coding = req.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (req.headers['content-encoding'] !== undefined) req.headers['content-encoding'] = coding
  const compressed = coding !== 'identity'
  if (Number(req.headers['content-length'] ?? 0) > (compressed ? LONGEST_COMPRESSED : LONGEST)) throw tooLarge()
  // HTTP/1.0 knows no such answer (RFC 9110 section 10.1.1).
  if (req.headers.expect !== undefined && req.httpVersion !== '1.0') res.writeContinue()
  await (compressed ? Promise.race([read(ctx, DONE), failureOf(req)]) : read(ctx, DONE))
}

const DONE = async (): Promise<void> => undefined

// A decompressor is not told that its source broke off, and would wait for ever; nor is what goes into it measured,
// from which nothing need come out.
const failureOf = (req: IncomingMessage): Promise<never> =>
  new Promise((_, reject) => {
    let received = 0
    req.on('data', ({ length }: Buffer) => {
      received += length
      if (received > LONGEST_COMPRESSED) reject(tooLarge())
    })
    req.once('close', () => {
      if (!req.complete) reject(new MalformedRequest('The request broke off.'))
    })
  })

const tooLarge = () => new HttpError('PayloadTooLarge', 'Send at most 16 KiB, counted after decompression.')

const unsupported = (message: string) => new HttpError('UnsupportedMediaType', message)

// The parser's errors have nothing but a status, or a code of zlib's, to tell them by.
const asRefusal = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof HttpError || error instanceof MalformedRequest) return error
  const status = 'status' in error ? error.status : undefined
  if (status === 413) return tooLarge()
  if (status === 415) return unsupported('Send the body as it is, or compressed with gzip, deflate or br.')
  if (status === 400 || 'code' in error)
    return new MalformedRequest('The body broke off, or is not compressed as its Content-Encoding says. Send it again.')
  return error
}
