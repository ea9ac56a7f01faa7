import type { Ports, UseCases } from '@rollcall/core'
import type { HttpTracing } from '@rollcall/http-koa/host'

/** Spans around what the service does. No type of OpenTelemetry may appear here: a host need not have its package. */
export interface Tracing {
  readonly http: HttpTracing
  /** The ports with a span for each transaction, mail and webhook; `database` by its name in the semantic conventions. */
  ports(ports: Ports, database: 'sqlite' | 'postgresql'): Ports
  /** Has each use case that is called within a span make one of its own. */
  addTo(useCases: UseCases): void
}
