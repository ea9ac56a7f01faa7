import { MAIL_KINDS } from '../../packages/core/src/outbox/outbox-store.ts'
import type { ShownSpan } from './shown-span.ts'

// Nothing may be in a span but what is listed here, so that no address, id or token can be.

const METHOD = /^(?:CONNECT|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT|QUERY|TRACE|_OTHER)$/
const NAMES = new Set(['transaction', 'webhook', ...MAIL_KINDS.map((kind) => `mail ${kind}`)])
const USE_CASE = /^[A-Z][A-Za-z]+UseCase$/

const VALUES: Readonly<Record<string, (value: unknown, routes: ReadonlySet<string>) => boolean>> = {
  'db.system.name': (value) => value === 'sqlite' || value === 'postgresql',
  // The name of a class, or a status.
  'error.type': (value) => /^(?:[A-Z][A-Za-z]{1,40}|_OTHER|5\d\d)$/.test(String(value)),
  'http.request.method': (value) => METHOD.test(String(value)),
  'http.response.status_code': (value) => Number.isInteger(value) && Number(value) >= 100 && Number(value) < 600,
  'http.route': (value, routes) => routes.has(String(value)),
}

/** What of these spans, each as JSON, is not known to be harmless. */
export const strangeSpans = async (spans: readonly string[]): Promise<readonly unknown[]> => {
  if (spans.length === 0) return []
  const routes = await knownRoutes()
  return spans.flatMap((text) => strangeIn(JSON.parse(text), routes))
}

const strangeIn = (span: ShownSpan, routes: ReadonlySet<string>): readonly unknown[] => {
  const { name, attributes, events, links, status, instrumentationScope, traceState } = span
  const { version, schemaUrl } = instrumentationScope
  return [
    ...(isKnown(name, attributes) ? [] : [name]),
    ...Object.entries(attributes).filter(([key, value]) => !VALUES[key]?.(value, routes)),
    ...[...events, ...links],
    ...[status.message, version, schemaUrl, traceState].filter((text) => text),
    ...(instrumentationScope.name === 'rollcall' ? [] : [instrumentationScope.name]),
  ]
}

const isKnown = (
  name: string,
  { 'http.request.method': method, 'http.route': route }: ShownSpan['attributes'],
): boolean => {
  if (NAMES.has(name) || USE_CASE.test(name)) return true
  const shown = method === '_OTHER' ? 'HTTP' : method
  return name === (route === undefined ? shown : `${shown} ${route}`)
}

/** The patterns of all routes, as the router and the console have them. */
const knownRoutes = async (): Promise<ReadonlySet<string>> => {
  const { OPERATIONS } = await import('../../packages/http-koa/src/resources/all.ts')
  const { ROUTES } = await import('../../packages/http-console/src/routes.ts')
  const { WITHOUT_SESSION } = await import('../../packages/http-console/src/traced.ts')
  const { SCIM_ROUTES } = await import('../../packages/scim/src/scim.ts')
  const paths = (routes: object) => Object.keys(routes).map((route) => route.split(' ')[1] ?? '')
  const ofRouter = OPERATIONS.map(({ route }) => (route.split(' ')[1] ?? '').replaceAll(/\{(\w+)\}/g, ':$1'))
  return new Set([...ofRouter, ...paths(ROUTES), ...WITHOUT_SESSION, ...SCIM_ROUTES, '/login/{link}'])
}
