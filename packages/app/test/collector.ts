import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
}

/** As OTLP writes them in JSON. */
export interface Exported {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}

export const spansIn = ({ resourceSpans }: Exported): readonly Span[] =>
  resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))

interface Collector {
  readonly url: string
  /** The names of the spans of the trace, in the order of their arrival. */
  readonly namesOf: (trace: string) => readonly string[]
}

/** What takes spans, as a collector of OpenTelemetry does; gone when the test is. */
export const openCollector = async (): Promise<Collector> => {
  const spans: Span[] = []
  const server = createServer(async (request, response) => {
    spans.push(...spansIn((await json(request)) as Exported))
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    namesOf: (trace) => spans.filter(({ traceId }) => traceId === trace).map(({ name }) => name),
  }
}

/** A sign-up by a caller whose trace is recorded. */
export const signUpInTrace = async (url: string, trace: string): Promise<number> => {
  const { status } = await fetch(`${url}/subscribe`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'ada@example.com' }),
    headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
  })
  return status
}

/** What a sign-up has spans of, at least. */
export const SPANS_OF_A_SIGN_UP = ['POST /subscribe', 'SubscribeUseCase', 'transaction']
