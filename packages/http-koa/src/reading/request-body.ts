import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Transform } from 'node:stream'
import { MalformedRequest } from '@rollcall/core'
import { hasErrorCode } from '@rollcall/platform-node'
import bodyParser from 'koa-bodyparser'
import { HttpError } from '../error-response.ts'
import type { Handler, RouteContext } from '../exchange.ts'
import { type Decompression, decompressionOf } from './decompression.ts'
import { fieldsOfForm, fieldsOfJson } from './fields.ts'
import { ACCEPT_PATCH, bodyKindOf, isOneOf, patchKindOf } from './media-type.ts'

/**
 * Reads the body into fields: a form or a JSON object, in UTF-8, at most 16 KiB after decompression.
 * @see RFC 9110 section 8.3
 */
export const parseBody: Handler = async (ctx, next) => {
  const { headers } = ctx.req
  if (headers['content-type'] !== undefined || hasBody(ctx.req)) await parse(ctx, bodyKindOf, unsupported)
  else refusePartialBody(ctx.req)
  return await proceed(ctx, next)
}

/**
 * The same for the body of a PATCH, which is a JSON object and must be there.
 * @see RFC 5789 section 2.2
 */
export const parsePatch: Handler = async (ctx, next) => {
  await parse(ctx, patchKindOf, unsupportedPatch)
  return await proceed(ctx, next)
}

/** The same for a list of many things: JSON alone, at most 512 KiB after decompression. */
export const parseJson: Handler = async (ctx, next) => {
  await parse(ctx, (type) => (bodyKindOf(type) === 'json' ? 'json' : undefined), unsupportedForm, LONG)
  return await proceed(ctx, next)
}

/** The bytes of a body of one of these types, in UTF-8: at most 16 KiB after decompression. */
export const readTypedBody = async (ctx: RouteContext, types: readonly string[]): Promise<Buffer> => {
  const refusal = () => new HttpError('UnsupportedMediaType', `Send ${types.join(' or ')}, in UTF-8.`)
  return (await readTyped(ctx, (type) => (isOneOf(types, type) ? 'json' : undefined), refusal, SHORT)).bytes
}

const proceed: Handler = ({ res }, next) => {
  if (res.headersSent) throw brokeOff()
  return next()
}

const unsupported = () =>
  new HttpError('UnsupportedMediaType', 'Send application/x-www-form-urlencoded or application/json, in UTF-8.')
const unsupportedPatch = () =>
  new HttpError('UnsupportedMediaType', 'Send application/merge-patch+json or application/json, in UTF-8.', {
    'Accept-Patch': ACCEPT_PATCH,
  })

const unsupportedForm = () => new HttpError('UnsupportedMediaType', 'Send application/json, in UTF-8.')

const parse = async (
  ctx: RouteContext,
  kindOf: typeof bodyKindOf,
  refusal: () => HttpError,
  room = SHORT,
): Promise<void> => {
  const { kind, bytes } = await readTyped(ctx, kindOf, refusal, room)
  ctx.state.rollcall.fields = kind === 'json' ? fieldsOfJson(bytes) : fieldsOfForm(bytes.toString('latin1'))
}

const readTyped = async (ctx: RouteContext, kindOf: typeof bodyKindOf, refusal: () => HttpError, room: Room) => {
  const { req } = ctx
  refusePartialBody(req)
  try {
    const kind = kindOf(req.headers['content-type'] ?? '')
    if (kind === undefined) throw refusal()
    return { kind, bytes: hasBody(req) ? await readBody(ctx, room) : NO_BYTES }
  } catch (error) {
    discardBody(req)
    throw error
  }
}

const NO_BYTES = Buffer.alloc(0)

// Data that does not compress grows a little: by headers, and by a few bytes for each block.
const GROWTH = 1024

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * @throws {MalformedRequest} the request sends only a part of its body
 * @see RFC 9110 section 14.5
 */
export const refusePartialBody = ({ headers }: IncomingMessage): void => {
  if (headers['content-range'] !== undefined) throw new MalformedRequest('Send the whole body, without Content-Range.')
}

/** Reads and drops the rest of a body, so that the connection stays usable. */
export const discardBody = (req: IncomingMessage): void => {
  req.unpipe()
  req.resume()
}

const brokeOff = (): MalformedRequest => new MalformedRequest('The request broke off.')

const readBefore = () => new Error('the body was read before Rollcall could; mount Rollcall first')

const tooLarge = ({ limit }: Room) =>
  new HttpError('PayloadTooLarge', `Send at most ${limit / 1024} KiB, counted after decompression.`)

const brokenBody = () =>
  new MalformedRequest('The body broke off, or is not compressed as its Content-Encoding says. Send it again.')

/** How much `readBody` takes, in bytes, counted after decompression. */
interface Room {
  readonly limit: number
  readonly parser: ReturnType<typeof bodyParser>
}

// The parser reads every type as text, and without an encoding that means as bytes. Decoding by itself, it would take any
// bytes for UTF-8, put the whole body on the error that it throws, and nest the fields of a form.
const roomFor = (limit: number): Room => ({
  limit,
  parser: bodyParser({
    enableTypes: ['text'],
    extendTypes: {
      text: [
        'application/json',
        'application/x-www-form-urlencoded',
        'application/merge-patch+json',
        'application/scim+json',
      ],
    },
    encoding: null as never,
    textLimit: String(limit + GROWTH),
  }),
})

const SHORT = roomFor(16 * 1024)
const LONG = roomFor(512 * 1024)

/**
 * Reads a short body whole, and decompresses it.
 * @throws {HttpError} it is too long, or its coding is not supported
 * @throws {MalformedRequest} it broke off, or is not compressed as it says
 */
const readBody = async (ctx: RouteContext, room: Room): Promise<Buffer> => {
  const { req, res } = ctx
  if (ctx.request.body !== undefined) throw readBefore()
  const decompression = decompressionOf(req)
  const declared = Number(req.headers['content-length'] ?? 0)
  if (declared > room.limit + (decompression === undefined ? 0 : GROWTH)) throw tooLarge(room)
  startReading(req, res)
  // The parser does not recognise a type with malformed parameters, and it would decompress by itself, with a stream.
  req.headers['content-type'] = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  delete req.headers['content-encoding']
  try {
    await room.parser(ctx, nothingMore)
  } catch (error) {
    throw asRefusal(error, room)
  }
  const { body } = ctx.request
  const bytes = Buffer.isBuffer(body) ? body : NO_BYTES
  if (decompression !== undefined) return decompress(bytes, decompression.atOnce, room)
  if (bytes.length > room.limit) throw tooLarge(room)
  return bytes
}

const nothingMore = async (): Promise<void> => {}

// Errors of the parser, Node and zlib differ only in their status or code.
const asRefusal = (error: unknown, room: Room): unknown => {
  if (!(error instanceof Error)) return error
  const status = 'status' in error ? error.status : undefined
  if (status === 413) return tooLarge(room)
  return status === 400 || 'code' in error ? brokenBody() : error
}

// All at once: many bodies at the same time then hold the bytes that were sent, not a decompressor each, and a refused
// body is freed immediately.
const decompress = (bytes: Buffer, atOnce: Decompression['atOnce'], room: Room): Buffer => {
  try {
    // A chunk of one byte more than the limit shows in the first round whether the body is too long.
    return atOnce(bytes, { maxOutputLength: room.limit, chunkSize: room.limit + 1 })
  } catch (error) {
    throw hasErrorCode(error, 'ERR_BUFFER_TOO_LARGE') ? tooLarge(room) : brokenBody()
  }
}

/**
 * Streams a body of any length, decompressed, no faster than it is consumed. The rest of a body that is not consumed is
 * read and dropped, so that the connection stays usable.
 * @throws {HttpError} its coding is not supported
 */
export const streamBody = (req: IncomingMessage, res: ServerResponse): AsyncGenerator<Uint8Array> => {
  refusePartialBody(req)
  return bytesOf(req, res, decompressionOf(req)?.stream())
}

async function* bytesOf(
  req: IncomingMessage,
  res: ServerResponse,
  decompressor: Transform | undefined,
): AsyncGenerator<Uint8Array> {
  startReading(req, res)
  try {
    yield* decompressor === undefined ? req.iterator({ destroyOnReturn: false }) : decompressed(req, decompressor)
  } catch (error) {
    throw error instanceof Error && 'code' in error ? brokenBody() : error
  } finally {
    discardBody(req)
  }
}

async function* decompressed(req: IncomingMessage, decompressor: Transform): AsyncGenerator<Uint8Array> {
  // A decompressor does not notice that its source broke off, and would wait without end.
  const breakOff = (): void => {
    if (!req.complete) decompressor.destroy(brokeOff())
  }
  req.once('close', breakOff)
  try {
    yield* req.pipe(decompressor)
  } finally {
    req.off('close', breakOff)
    decompressor.destroy()
  }
}

/**
 * Lets a client that waits for it send its body.
 * @throws {MalformedRequest} the client has gone; a reader would wait without end, or get an error that looks like ours
 */
export const startReading = (req: IncomingMessage, res: ServerResponse): void => {
  if (req.readableEnded) throw readBefore()
  if (req.destroyed) throw brokeOff()
  // HTTP/1.0 has no 100 Continue (RFC 9110 section 10.1.1).
  if (req.headers.expect !== undefined && req.httpVersion !== '1.0') res.writeContinue()
}
