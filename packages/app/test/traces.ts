import { context, propagation, trace } from '@opentelemetry/api'
import {
  AlwaysOnSampler,
  InMemorySpanExporter,
  NodeTracerProvider,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node'

const providers: NodeTracerProvider[] = []

/** The last one gets the spans of all services that open from now on. */
const useLast = (): void => {
  for (const part of [trace, context, propagation]) part.disable()
  providers.at(-1)?.register()
}

/** An SDK as an operator registers it; undone by its disposal. */
export const registered = (spanProcessors: SpanProcessor[], root: Sampler = new AlwaysOnSampler()): Disposable => {
  const provider = new NodeTracerProvider({ spanProcessors, sampler: new ParentBasedSampler({ root }) })
  providers.push(provider)
  useLast()
  return {
    [Symbol.dispose]: () => {
      providers.splice(providers.indexOf(provider), 1)
      useLast()
    },
  }
}

/** As where no SDK is loaded. */
export const untraced = (): Disposable => {
  for (const part of [trace, context, propagation]) part.disable()
  return { [Symbol.dispose]: useLast }
}

/** An SDK that remembers what it is given. */
export class Traces implements Disposable {
  readonly #exporter = new InMemorySpanExporter()
  readonly #registration: Disposable

  constructor(root: Sampler) {
    this.#registration = registered([new SimpleSpanProcessor(this.#exporter)], root)
  }

  /** Those that have ended. */
  get spans(): readonly ReadableSpan[] {
    return this.#exporter.getFinishedSpans()
  }

  named(name: string): ReadableSpan[] {
    return this.spans.filter((span) => span.name === name)
  }

  /** The names from the root of its trace to this span. */
  pathOf(span: ReadableSpan): string {
    const parent = this.spans.find((one) => one.spanContext().spanId === span.parentSpanContext?.spanId)
    return parent === undefined ? span.name : `${this.pathOf(parent)} > ${span.name}`
  }

  [Symbol.dispose](): void {
    this.#registration[Symbol.dispose]()
  }
}
