import type { Context, Span, SpanContext, SpanOptions } from '@opentelemetry/api'
import type { Ports, Stores, UseCases } from '@rollcall/core'
import type { HttpTracing } from '@rollcall/http-koa/host'
import { traceDraw } from './trace-draw.ts'
import type { Tracing } from './tracing.ts'

type Api = typeof import('@opentelemetry/api')

/** Methods in the semantic conventions; any other is a stranger's text. */
const METHODS = ['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE']

/** They work rounds, mostly without finding anything; what they send has spans. */
const WORKERS: ReadonlySet<string> = new Set(['deliverEvents', 'deliverOutbox'] satisfies (keyof UseCases)[])

/**
 * What is done has spans; the person it is about is in none of them: names and attributes are patterns, names of classes and
 * status codes. Messages and stacks of errors may hold an address, so that no exception is recorded.
 *
 * What the SDK does not record costs one question to its sampler: nothing is made for it, and it has no context. Of the
 * traces that would begin here, the SDK is asked about those that the rate leaves.
 */
export const tracingBy = (api: Api, rate: number): Tracing => {
  const { context, trace, propagation, SpanKind, ROOT_CONTEXT } = api
  const tracer = trace.getTracer('rollcall')

  const isDrawn = traceDraw(rate)

  const fail = (span: Span, type: string): void => {
    span.setAttribute('error.type', type)
    span.setStatus({ code: api.SpanStatusCode.ERROR })
  }

  /** The work that the span is about. */
  const during = async <T>(span: Span, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      fail(span, errorType(error))
      throw error
    } finally {
      span.end()
    }
  }

  /** How many open spans may have children. While there is none, the context need not be looked up. */
  let surrounding = 0

  /** The same as what surrounds further spans. */
  const around = <T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> => {
    surrounding++
    return context.with(trace.setSpan(parent, span), () => during(span, work)).finally(() => surrounding--)
  }

  /** The context that a span may be added to; undefined outside of traces, and in those that are not recorded. */
  const recorded = (): Context | undefined => {
    if (surrounding === 0) return undefined
    const active = context.active()
    return trace.getSpan(active)?.isRecording() ? active : undefined
  }

  const carriers = propagation.fields()
  const kindsOf = (name: string, method: string) => {
    const attributes = { 'http.request.method': method }
    return { name, outermost: { kind: SpanKind.SERVER, attributes }, inner: { kind: SpanKind.INTERNAL, attributes } }
  }
  const methods = new Map(METHODS.map((method) => [method, kindsOf(method, method)]))
  const other = kindsOf('HTTP', '_OTHER')

  /** The span that the client says it is in. What else it says, in `tracestate` and `baggage`, is its own affair. */
  const callerIn = (headers: Readonly<Record<string, unknown>>): SpanContext | undefined => {
    if (!carriers.some((name) => headers[name] !== undefined)) return undefined
    const found = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers))
    if (found === undefined || !api.isSpanContextValid(found)) return undefined
    const { traceId, spanId, traceFlags } = found
    return { traceId, spanId, traceFlags, isRemote: true }
  }

  const http: HttpTracing = {
    begin: ({ method, headers }) => {
      // If the SDK has its own instrumentation of HTTP, that has a span, and has read the header fields.
      const active = context.active()
      const outer = trace.getSpan(active)
      if (outer?.isRecording() === false) return undefined
      const caller = outer === undefined ? callerIn(headers) : undefined
      if (outer === undefined && caller === undefined && !isDrawn()) return undefined
      const parent = caller === undefined ? active : trace.setSpanContext(active, caller)
      const { name, outermost, inner } = methods.get(method ?? '') ?? other
      const span = tracer.startSpan(name, outer === undefined ? outermost : inner, parent)
      if (!span.isRecording()) return undefined
      return (answer) =>
        around(span, parent, async () => {
          const { route, status } = await answer()
          if (route !== undefined) span.updateName(`${name} ${route}`).setAttribute('http.route', route)
          span.setAttribute('http.response.status_code', status)
          if (status >= 500) fail(span, String(status))
        })
    },
  }

  /** The span of what is sent, if it is recorded: within the trace that caused it, if that was recorded. */
  const sending = (name: string, options: SpanOptions, traceContext: string | undefined): Span | undefined => {
    const cause = traceContext === undefined ? undefined : spanContextIn(traceContext)
    if (cause === undefined && !isDrawn()) return undefined
    const span = tracer.startSpan(name, options, cause ? trace.setSpanContext(ROOT_CONTEXT, cause) : ROOT_CONTEXT)
    return span.isRecording() ? span : undefined
  }

  const MAIL: SpanOptions = { kind: SpanKind.CLIENT }
  const WEBHOOK: SpanOptions = { kind: SpanKind.CLIENT, attributes: { 'http.request.method': 'POST' } }

  const ports: Tracing['ports'] = (untraced, database) => {
    const { unitOfWork, inbox, userChanges, transport, webhookTransport } = untraced
    const options: SpanOptions = { kind: SpanKind.CLIENT, attributes: { 'db.system.name': database } }
    return {
      ...untraced,
      unitOfWork: {
        sideBySide: unitOfWork.sideBySide,
        run: (work) => {
          const parent = recorded()
          if (parent === undefined) return unitOfWork.run(work)
          const span = tracer.startSpan('transaction', options, parent)
          const traceContext = textOf(span)
          return during(span, () =>
            unitOfWork.run(traceContext === undefined ? work : (stores) => work(carrying(stores, traceContext))),
          )
        },
      },
      inbox: inbox && {
        feed: (name) => inbox.feed(name),
        append: (request, challenge) => {
          const parent = recorded()
          if (parent === undefined) return inbox.append(request, challenge)
          const span = tracer.startSpan('transaction', options, parent)
          return during(span, () => inbox.append({ ...request, traceContext: textOf(span) }, challenge))
        },
      },
      userChanges: userChanges && {
        make: (request) => {
          const parent = recorded()
          if (parent === undefined) return userChanges.make(request)
          const span = tracer.startSpan('transaction', options, parent)
          return during(span, () => userChanges.make({ ...request, traceContext: textOf(span) }))
        },
      },
      transport: overriding<Ports['transport']>(transport, {
        send: (mail, isDue) => {
          const span = sending(`mail ${mail.kind}`, MAIL, mail.traceContext)
          return span === undefined ? transport.send(mail, isDue) : during(span, () => transport.send(mail, isDue))
        },
      }),
      webhookTransport: overriding<Ports['webhookTransport']>(webhookTransport, {
        send: (message) => {
          const span = sending('webhook', WEBHOOK, message.traceContext)
          const sent = { ...message, traceContext: span && textOf(span) }
          return span === undefined ? webhookTransport.send(sent) : during(span, () => webhookTransport.send(sent))
        },
      }),
    }
  }

  const addTo = (useCases: UseCases): void => {
    for (const [key, useCase] of Object.entries(useCases)) {
      if (WORKERS.has(key) || !('execute' in useCase)) continue
      // The names of classes are not those of the source in a bundle.
      const name = `${key.charAt(0).toUpperCase()}${key.slice(1)}UseCase`
      const execute = useCase.execute as (command: unknown, caller: unknown) => Promise<unknown>
      const traced = (command: unknown, caller: unknown): Promise<unknown> => {
        const parent = recorded()
        if (parent === undefined) return execute.call(useCase, command, caller)
        return around(tracer.startSpan(name, {}, parent), parent, () => execute.call(useCase, command, caller))
      }
      Object.defineProperty(useCase, 'execute', { value: traced, writable: true })
    }
  }

  return { http, ports, addTo }
}

/** The name of the error's class, as far as it is one. */
const errorType = (error: unknown): string =>
  error instanceof Error && /^[A-Za-z]{1,64}$/.test(error.name) ? error.name : '_OTHER'

const SAMPLED = 1

/** As `traceparent` (W3C Trace Context, version 00); undefined if the trace is not sampled. */
const textOf = (span: Span): string | undefined => {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return traceFlags & SAMPLED ? `00-${traceId}-${spanId}-01` : undefined
}

const spanContextIn = (text: string): SpanContext | undefined => {
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(text) ?? []
  return traceId && spanId ? { traceId, spanId, traceFlags: SAMPLED, isRemote: true } : undefined
}

/** The stores, but that requests, mails and events that are added are of this trace, if they are of no other. */
const carrying = (stores: Stores, traceContext: string): Stores => {
  const { outbox, events, requests } = stores
  const ours = <Carrier extends { readonly traceContext?: string | undefined }>(one: Carrier): Carrier => ({
    ...one,
    traceContext: one.traceContext ?? traceContext,
  })
  return overriding(stores, {
    outbox: overriding(outbox, {
      add: (mail) => outbox.add(ours(mail)),
      addMany: (mails) => outbox.addMany(mails.map(ours)),
    }),
    events: overriding(events, {
      append: (...all) => events.append(...all.map(ours)),
    }),
    requests: overriding(requests, { add: (request) => requests.add(ours(request)) }),
  })
}

/** The same object with some members of another kind; its methods keep their `this`. */
const overriding = <T extends object>(target: T, members: Partial<T>): T =>
  new Proxy(target, {
    get: (_, name) => {
      if (name in members) return members[name as keyof T]
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
