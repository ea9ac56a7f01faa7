import type { Attributes, Context, Span, SpanContext, SpanOptions } from '@opentelemetry/api'
import type { Ports, Stores, UseCases } from '@rollcall/core/all'
import type { HttpTracing } from '@rollcall/http-koa/host'
import type { Tracing } from './tracing.ts'

type Api = typeof import('@opentelemetry/api')

/** Methods in the semantic conventions; any other is a stranger's text. */
const METHODS = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE'])

/** They work rounds, mostly without finding anything; what they send has spans. */
const WORKERS: ReadonlySet<string> = new Set(['deliverEvents', 'deliverOutbox'] satisfies (keyof UseCases)[])

/**
 * What is done has spans; whom it is about is in none of them: names and attributes are patterns, names of classes and
 * status codes. Messages and stacks of errors may hold an address, so that no exception is recorded.
 */
export const tracingBy = (api: Api): Tracing => {
  const { context, trace, propagation, SpanKind } = api
  const tracer = trace.getTracer('rollcall')

  const within = <T>(name: string, options: SpanOptions, parent: Context, work: (span: Span) => Promise<T>) => {
    const span = tracer.startSpan(name, options, parent)
    return context.with(trace.setSpan(parent, span), async () => {
      try {
        return await work(span)
      } catch (error) {
        fail(span, errorType(error))
        throw error
      } finally {
        span.end()
      }
    })
  }

  const fail = (span: Span, type: string): void => {
    span.setAttribute('error.type', type)
    span.setStatus({ code: api.SpanStatusCode.ERROR })
  }

  /** The context that a span may be added to; undefined outside of traces, and in those that are not recorded. */
  const recorded = (): Context | undefined => {
    const active = context.active()
    return trace.getSpan(active)?.isRecording() ? active : undefined
  }

  const http: HttpTracing = {
    request: (request, answer) => {
      // Where the SDK has its own instrumentation of HTTP, that has a span, and has read the header fields.
      const active = context.active()
      const outermost = trace.getSpan(active) === undefined
      const parent = outermost ? propagation.extract(active, request.headers) : active
      const method = METHODS.has(request.method ?? '') ? (request.method ?? '') : '_OTHER'
      const name = method === '_OTHER' ? 'HTTP' : method
      const attributes: Attributes = { 'http.request.method': method }
      const kind = outermost ? SpanKind.SERVER : SpanKind.INTERNAL
      return within(name, { kind, attributes }, parent, async (span) => {
        const { route, status } = await answer()
        if (route !== undefined) span.updateName(`${name} ${route}`).setAttribute('http.route', route)
        span.setAttribute('http.response.status_code', status)
        if (status >= 500) fail(span, String(status))
      })
    },
  }

  const ports: Tracing['ports'] = (untraced, database) => {
    const { unitOfWork, transport, webhookTransport } = untraced
    const attributes: Attributes = { 'db.system.name': database }
    return {
      ...untraced,
      unitOfWork: overriding<Ports['unitOfWork']>(unitOfWork, {
        run: (work) => {
          const parent = recorded()
          if (parent === undefined) return unitOfWork.run(work)
          return within('transaction', { kind: SpanKind.CLIENT, attributes }, parent, (span) => {
            const traceContext = textOf(span.spanContext())
            if (traceContext === undefined) return unitOfWork.run(work)
            return unitOfWork.run((stores) => work(carrying(stores, traceContext)))
          })
        },
      }),
      transport: overriding<Ports['transport']>(transport, {
        send: (mail) => {
          const caused = mail.traceContext === undefined ? undefined : spanContextIn(mail.traceContext)
          const parent = caused ? trace.setSpanContext(api.ROOT_CONTEXT, caused) : api.ROOT_CONTEXT
          return within(`mail ${mail.kind}`, { kind: SpanKind.CLIENT }, parent, () => transport.send(mail))
        },
      }),
      webhookTransport: overriding<Ports['webhookTransport']>(webhookTransport, {
        send: (message) => {
          const options = { kind: SpanKind.CLIENT, attributes: { 'http.request.method': 'POST' } }
          return within('webhook', options, api.ROOT_CONTEXT, () => webhookTransport.send(message))
        },
      }),
    }
  }

  const addTo = (useCases: UseCases): void => {
    for (const [key, useCase] of Object.entries(useCases)) {
      if (WORKERS.has(key) || !('execute' in useCase)) continue
      // The names of classes are not those of the source in a bundle.
      const name = `${key.charAt(0).toUpperCase()}${key.slice(1)}UseCase`
      const execute = useCase.execute as (...parameters: unknown[]) => Promise<unknown>
      const traced = (...parameters: unknown[]): Promise<unknown> => {
        const parent = recorded()
        if (parent === undefined) return execute.apply(useCase, parameters)
        return within(name, {}, parent, async () => await execute.apply(useCase, parameters))
      }
      Object.defineProperty(useCase, 'execute', { value: traced })
    }
  }

  return { http, ports, addTo }
}

/** The name of the error's class, as far as it is one. */
const errorType = (error: unknown): string =>
  error instanceof Error && /^[A-Za-z]{1,64}$/.test(error.name) ? error.name : '_OTHER'

const SAMPLED = 1

/** As `traceparent` (W3C Trace Context, version 00); undefined where the trace is not sampled. */
const textOf = ({ traceId, spanId, traceFlags }: SpanContext): string | undefined =>
  traceFlags & SAMPLED ? `00-${traceId}-${spanId}-01` : undefined

const spanContextIn = (text: string): SpanContext | undefined => {
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(text) ?? []
  return traceId && spanId ? { traceId, spanId, traceFlags: SAMPLED, isRemote: true } : undefined
}

/** The stores, but that a mail which is added is of this trace. */
const carrying = (stores: Stores, traceContext: string): Stores => {
  const { outbox } = stores
  return overriding(stores, {
    outbox: overriding(outbox, { add: (mail) => outbox.add({ ...mail, traceContext }) }),
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
