import type { Handler, RouteContext } from '../exchange.ts'
import { HttpError } from '../http-error.ts'
import { type Fields, fieldsOfForm } from '../reading/fields.ts'
import { bodyKindOf } from '../reading/media-type.ts'
import { readJson } from '../reading/read-json.ts'
import { brokeOff, discardBody, hasBody, readBody, refusePartialBody } from '../reading/request-body.ts'

/**
 * Reads the body into fields: a form or a JSON object, in UTF-8, at most 16 KiB after decompression.
 * @see RFC 9110 section 8.3
 */
export const parseBody: Handler = async (ctx, next) => {
  const { req, res, state } = ctx
  refusePartialBody(req)
  if (req.headers['content-type'] !== undefined || hasBody(req)) {
    try {
      state.rollcall.fields = await fieldsIn(ctx)
    } catch (error) {
      discardBody(req)
      throw error
    }
  }
  if (res.headersSent) throw brokeOff()
  return await next()
}

const fieldsIn = async (ctx: RouteContext): Promise<Fields> => {
  const kind = bodyKindOf(ctx.req.headers['content-type'] ?? '')
  if (kind === undefined)
    throw new HttpError('UnsupportedMediaType', 'Send application/x-www-form-urlencoded or application/json, in UTF-8.')
  const body = hasBody(ctx.req) ? await readBody(ctx) : Buffer.alloc(0)
  return kind === 'json' ? readJson(body) : fieldsOfForm(body.toString('latin1'))
}
