import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendRepresentation } from '../send.ts'

/** The keys that verify this service's own tokens (RFC 7517). */
export const getKeys =
  ({ jwks, now = Date.now }: HttpOptions): Step =>
  async (ctx) => {
    const body = JSON.stringify(await jwks())
    sendRepresentation(ctx, { body, audience: { cacheControl: 'public, max-age=60' }, now: now() })
  }
