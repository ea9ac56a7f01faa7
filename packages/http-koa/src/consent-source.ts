import type { ConsentSource } from '@rollcall/core'
import { clientNetworkOf } from './client-address.ts'
import type { RouteContext } from './exchange.ts'
import type { HttpOptions } from './http-options.ts'

/** What is stored as evidence of a request: how it came, from which network, with which user agent. */
export const consentSourceOf = (
  { req }: RouteContext,
  { trustProxy }: Pick<HttpOptions, 'trustProxy'>,
  via: 'form' | 'json' | 'page' | 'link' | 'one-click' | 'preferences',
): ConsentSource => ({
  via,
  clientAddress: clientNetworkOf(req, trustProxy),
  userAgent: req.headers['user-agent'] || undefined,
})
