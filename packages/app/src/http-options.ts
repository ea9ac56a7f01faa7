import { accessTokenIn, type HttpOptions } from '@rollcall/http-koa/host'
import { createScim } from '@rollcall/scim'
import type { Composition } from './composition.ts'
import { openPages } from './pages.ts'

export const httpOptionsOf = ({
  config,
  useCases,
  jwks,
  rateLimiter,
  networkLimiter,
  metrics,
  tracing,
  clock,
  log,
}: Composition): HttpOptions => ({
  useCases,
  jwks,
  publicUrl: config.publicUrl,
  trace: config.TRACE === 'on',
  trustProxy: config.TRUST_PROXY,
  corsOrigins: config.CORS_ORIGINS,
  pages: openPages(config),
  mounted: createScim({ useCases, publicUrl: config.publicUrl, tokenIn: accessTokenIn }),
  rateLimiter,
  networkLimiter,
  funnel: metrics,
  observer: config.METRICS_PORT === undefined ? undefined : metrics,
  tracing: tracing?.http,
  now: () => clock.now(),
  log,
})
