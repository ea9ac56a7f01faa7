import { RETRY_AFTER } from '../error-response.ts'
import type { Handler } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { openApiDocument } from '../openapi/document.ts'
import { type Document, documentOf, sendRepresentation, sendResult } from '../send.ts'

/** Whether the process answers at all. */
export const getLiveness: Handler = (ctx) => sendResult(ctx, { status: 'alive' })

/** Whether this instance can work. It gives no figures: they would reveal when an address is new. */
export const getReadiness =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const { ready, storage, outbox } = await useCases.checkReadiness.execute()
    if (!ready) ctx.res.setHeader('Retry-After', RETRY_AFTER)
    sendResult(ctx, { status: ready ? 'ready' : 'unavailable', storage, outbox }, ready ? 200 : 503)
  }

/** The keys that verify this service's own tokens (RFC 7517). They change when they are rotated. */
export const getKeys = ({ jwks, now = Date.now }: HttpOptions): Handler => {
  let last: (Document & { readonly json: string }) | undefined
  return async (ctx) => {
    const json = JSON.stringify(await jwks())
    const body = last?.json === json ? last : { ...documentOf(json), json }
    last = body
    sendRepresentation(ctx, { body, cacheControl: 'public, max-age=60', now: now() })
  }
}

export const getOpenApi = ({ publicUrl, useCases, trace, now = Date.now }: HttpOptions): Handler => {
  let body: Document | undefined
  return (ctx) => {
    body ??= documentOf(JSON.stringify(openApiDocument(publicUrl, useCases.access.table, { trace })))
    sendRepresentation(ctx, { body, cacheControl: 'public, no-cache', now: now() })
  }
}
