import { context, propagation, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'

/** An SDK as an operator registers it, that remembers what it is given. */
export class Traces implements Disposable {
  readonly #exporter = new InMemorySpanExporter()

  constructor(root: Sampler) {
    const spanProcessors = [new SimpleSpanProcessor(this.#exporter)]
    new NodeTracerProvider({ spanProcessors, sampler: new ParentBasedSampler({ root }) }).register()
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
    for (const part of [trace, context, propagation]) part.disable()
  }
}
