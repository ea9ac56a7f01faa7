import { OUTBOX_STATES, STORAGE_STATES } from '@rollcall/core'
import { RETRY_AFTER } from '../error-response.ts'
import type { HttpOptions } from '../http-options.ts'
import { operation, resource } from '../operation/operation.ts'
import * as s from '../operation/schema.ts'
import { type Document, documentOf, sendRepresentation } from '../send.ts'
import { ErrorBody } from './errors.ts'
import { result } from './record-of.ts'

const readiness = {
  status: s.oneOf(['ready', 'unavailable']),
  storage: s.oneOf(STORAGE_STATES),
  outbox: s.oneOf(OUTBOX_STATES),
}
const Readiness = s.named('Readiness', s.record(readiness))
const NotReady = s.named('NotReady', s.word(s.record(readiness), { anyOf: [Readiness, ErrorBody].map(s.jsonOf) }))

/** What is computed once for each set of options: the same answer for many requests. */
const documentsOf = (documentFor: (options: HttpOptions) => object) => {
  const known = new WeakMap<HttpOptions, Document>()
  return (options: HttpOptions): Document => {
    const found = known.get(options) ?? documentOf(JSON.stringify(documentFor(options)))
    known.set(options, found)
    return found
  }
}

/** Health, keys and the document itself, which `documentFor` makes. */
export const serviceWith = (documentFor: (options: HttpOptions) => object) => {
  const documents = documentsOf(documentFor)
  return resource('Service', [
    operation('GET /livez', {
      id: 'getLiveness',
      summary: 'Whether the process answers.',
      answers: { 200: s.named('Liveness', s.record({ status: s.always('alive') })) },
      handle: () => result({ status: 'alive' as const }),
    }),
    operation('GET /readyz', {
      id: 'getReadiness',
      summary: 'Whether this instance does its work.',
      answers: { 200: Readiness, 503: NotReady },
      // No figures: they would reveal when an address is new.
      handle: async ({ ctx, useCases }) => {
        const { ready, storage, outbox } = await useCases.checkReadiness.execute()
        if (ready) return result({ status: 'ready', storage, outbox })
        ctx.res.setHeader('Retry-After', RETRY_AFTER)
        return { status: 503 as const, body: { status: 'unavailable' as const, storage, outbox } }
      },
    }),
    operation('GET /.well-known/jwks.json', {
      id: 'getKeys',
      summary: "The public keys that verify this service's own tokens.",
      answers: { 200: s.named('KeySet', s.record({ keys: s.anything({ type: 'array', items: { type: 'object' } }) })) },
      conditional: 'read',
      // RFC 7517. They change when they are rotated.
      handle: async ({ ctx, options: { jwks, now = Date.now } }) => {
        sendRepresentation(ctx, { record: await jwks(), cacheControl: 'public, max-age=60', now: now() })
      },
    }),
    operation('GET /openapi.json', {
      id: 'getOpenApi',
      summary: 'This document.',
      answers: { 200: s.named('OpenApi', s.anything({ type: 'object' })) },
      conditional: 'read',
      handle: ({ ctx, options }) => {
        const { now = Date.now } = options
        sendRepresentation(ctx, { body: documents(options), cacheControl: 'public, no-cache', now: now() })
      },
    }),
  ])
}
