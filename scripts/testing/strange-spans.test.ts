import { createTraceState, ROOT_CONTEXT, type Span, type SpanContext, trace } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { registered } from '../../packages/app/test/traces.ts'
import { MAIL_KINDS } from '../../packages/core/src/outbox/outbox-store.ts'
import { onEachNew } from './shown-span.ts'
import { strangeSpans } from './strange-spans.ts'

const ADDRESS = 'zoe.quartz@personal.example'
const CALLER: SpanContext = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', traceFlags: 1 }

/** What is strange in a span that is harmless but for what is done to it. */
const strangeAfter = async (change: (span: Span) => void, tracer = ['rollcall'], caller = CALLER): Promise<string> => {
  const texts: string[] = []
  const parts = { onStart: () => undefined, forceFlush: async () => undefined, shutdown: async () => undefined }
  using _ = registered([{ ...parts, onEnd: onEachNew((text) => texts.push(text)) }])
  const [name = '', version] = tracer
  const parent = trace.setSpanContext(ROOT_CONTEXT, caller)
  const attributes = { 'http.request.method': 'DELETE', 'http.route': '/users/:userId', 'error.type': 'UserNotFound' }
  const span = trace.getTracer(name, version).startSpan('DELETE /users/:userId', { attributes }, parent)
  change(span)
  span.end()
  expect(texts).toHaveLength(1)
  return JSON.stringify(await strangeSpans(texts))
}

it('finds nothing strange in what the service says of itself', async () => {
  expect(await strangeAfter(() => undefined)).toBe('[]')
  expect(await strangeAfter((span) => span.updateName('transaction').setAttribute('db.system.name', 'sqlite'))).toBe(
    '[]',
  )
  expect(await strangeAfter((span) => span.setStatus({ code: 2 }))).toBe('[]')
})

it.each(MAIL_KINDS)('finds nothing strange in a mail that is a %s', async (kind) => {
  expect(await strangeAfter((span) => span.updateName(`mail ${kind}`))).toBe('[]')
})

it.each<[where: string, plant: (span: Span) => void]>([
  ['its name', (span) => span.updateName(`DELETE /users/${ADDRESS}`)],
  ['its name, as if it were a mail', (span) => span.updateName(`mail ${ADDRESS}`)],
  ['an attribute of a name that is known', (span) => span.setAttribute('http.route', `/users/${ADDRESS}`)],
  ['the type of an error', (span) => span.setAttribute('error.type', ADDRESS)],
  ['an attribute of another name', (span) => span.setAttribute('url.path', `/users/${ADDRESS}`)],
  ['the name of an attribute', (span) => span.setAttribute(ADDRESS, true)],
  ['the name of an event', (span) => span.addEvent(ADDRESS)],
  ['an attribute of an event', (span) => span.addEvent('asked', { by: ADDRESS })],
  ['an exception', (span) => span.recordException(new Error(`${ADDRESS} is not known`))],
  ['the message of its status', (span) => span.setStatus({ code: 2, message: `${ADDRESS} is not known` })],
  ['a link', (span) => span.addLink({ context: CALLER, attributes: { by: ADDRESS } })],
])('finds an address in %s', async (_, plant) => {
  expect(await strangeAfter(plant)).toContain(ADDRESS)
})

it('finds an address in what the caller says of its trace', async () => {
  const traceState = createTraceState().set('caller', ADDRESS)
  expect(await strangeAfter(() => undefined, ['rollcall'], { ...CALLER, traceState })).toContain(ADDRESS)
})

it.each([[[ADDRESS]], [['rollcall', ADDRESS]]])(
  'finds an address in what says who made the span: %j',
  async (tracer) => {
    expect(await strangeAfter(() => undefined, tracer)).toContain(ADDRESS)
  },
)
