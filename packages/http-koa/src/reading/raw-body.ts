import { LARGEST_LOGO } from '@rollcall/core'
import { readWhole } from '@rollcall/platform-node'
import { HttpError } from '../error-response.ts'
import type { Handler, RouteContext } from '../exchange.ts'
import { discardBody, streamBody } from './request-body.ts'

const KIB = 1024

/**
 * The bytes of a body as they came, whatever their type: at most so many, 1 MiB by default, without a content coding.
 * @throws {HttpError} it is too long, or compressed
 * @throws {MalformedRequest} it broke off, or is a part only
 */
export const readRawBody = async ({ req, res }: RouteContext, limit = KIB * KIB): Promise<Buffer> => {
  const tooLarge = () => new HttpError('PayloadTooLarge', `Send at most ${limit / KIB} KiB.`)
  try {
    const coding = req.headers['content-encoding']?.trim().toLowerCase() || 'identity'
    if (coding !== 'identity')
      throw new HttpError('UnsupportedMediaType', 'Send the body as it is.', { 'Accept-Encoding': 'identity' })
    if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge()
    return await readWhole(streamBody(req, res), limit, tooLarge)
  } catch (error) {
    discardBody(req)
    throw error
  }
}

/** Reads a picture, at most 64 KiB. */
export const readPicture: Handler = async (ctx, next) => {
  ctx.state.rollcall.picture = await readRawBody(ctx, LARGEST_LOGO)
  return await next()
}
