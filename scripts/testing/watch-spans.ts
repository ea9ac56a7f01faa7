import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, expect } from 'vitest'
import { registered } from '../../packages/app/test/traces.ts'

// Before every file of tests: the spans of all of them are looked at, whatever they test. Nothing may be in one but what
// is listed here, so that no address, id or token can be.

const METHOD = /^(?:CONNECT|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT|QUERY|TRACE|_OTHER)$/
const MAIL = /^mail (?:confirmation|reminder|already-subscribed|preferences|move|moved)$/
const USE_CASE = /^[A-Z][A-Za-z]+UseCase$/

const VALUES: Readonly<Record<string, (value: unknown, routes: ReadonlySet<string>) => boolean>> = {
  'db.system.name': (value) => value === 'sqlite' || value === 'postgresql',
  // The name of a class, or a status.
  'error.type': (value) => /^(?:[A-Z][A-Za-z]{1,40}|_OTHER|5\d\d)$/.test(String(value)),
  'http.request.method': (value) => METHOD.test(String(value)),
  'http.response.status_code': (value) => Number.isInteger(value) && Number(value) >= 100 && Number(value) < 600,
  'http.route': (value, routes) => routes.has(String(value)),
}

type Shown = Pick<ReadableSpan, 'name' | 'attributes' | 'events' | 'links' | 'status' | 'instrumentationScope'>

/** What of a span is not known to be harmless. */
const strangeIn = (span: Shown, routes: ReadonlySet<string>): readonly unknown[] => {
  const { name, attributes, events, links, status, instrumentationScope } = span
  return [
    ...(isKnown(name, attributes) ? [] : [name]),
    ...Object.entries(attributes).filter(([key, value]) => !VALUES[key]?.(value, routes)),
    ...[...events, ...links],
    ...[status.message, instrumentationScope.version].filter((text) => text !== undefined),
    ...(instrumentationScope.name === 'rollcall' ? [] : [instrumentationScope.name]),
  ]
}

const isKnown = (
  name: string,
  { 'http.request.method': method, 'http.route': route }: Shown['attributes'],
): boolean => {
  if (name === 'transaction' || name === 'webhook' || MAIL.test(name) || USE_CASE.test(name)) return true
  const shown = method === '_OTHER' ? 'HTTP' : method
  return name === (route === undefined ? shown : `${shown} ${route}`)
}

/** The patterns of all routes, as the router and the console have them. */
const knownRoutes = async (): Promise<ReadonlySet<string>> => {
  const { OPERATIONS } = await import('../../packages/http-koa/src/openapi/operations.ts')
  const { ROUTES } = await import('../../packages/http-console/src/routes.ts')
  const { WITHOUT_SESSION } = await import('../../packages/http-console/src/traced.ts')
  const paths = (routes: object) => Object.keys(routes).map((route) => route.split(' ')[1] ?? '')
  const ofRouter = paths(OPERATIONS).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1'))
  return new Set([...ofRouter, ...paths(ROUTES), ...WITHOUT_SESSION, '/login/{link}'])
}

/** Each only once: a run has millions. */
const seen = new Set<string>()

const watcher: SpanProcessor = {
  onStart: () => undefined,
  onEnd: ({ name, attributes, events, links, status, instrumentationScope }) => {
    seen.add(JSON.stringify({ name, attributes, events, links, status, instrumentationScope } satisfies Shown))
  },
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
}

const registration = registered([watcher])

afterAll(async () => {
  registration[Symbol.dispose]()
  if (seen.size === 0) return
  const routes = await knownRoutes()
  const spans = [...seen].map((text): Shown => JSON.parse(text))
  seen.clear()
  const strange = spans.flatMap((span) => strangeIn(span, routes))
  expect(strange, 'a span has a name or a value that is not listed in scripts/testing/watch-spans.ts').toEqual([])
})
