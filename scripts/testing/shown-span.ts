import type { ReadableSpan } from '@opentelemetry/sdk-trace-node'

/** All that a span says, but for the numbers and times that the SDK gave it. */
export interface ShownSpan extends Pick<ReadableSpan, 'name' | 'attributes' | 'status' | 'instrumentationScope'> {
  readonly events: readonly Pick<ReadableSpan['events'][number], 'name' | 'attributes'>[]
  readonly links: readonly object[]
  /** The text of a caller's `tracestate`. */
  readonly traceState?: string | undefined
}

const shownSpan = (span: ReadableSpan): ShownSpan => {
  const { name, attributes, events, links, status, instrumentationScope } = span
  return {
    name,
    attributes,
    events: events.map(({ name, attributes }) => ({ name, attributes })),
    links: links.map(({ context, attributes }) => ({ traceState: context.traceState?.serialize(), attributes })),
    status,
    instrumentationScope,
    traceState: span.spanContext().traceState?.serialize(),
  }
}

/** Gives each different text once: a run has millions of spans, and hundreds that differ. */
export const onEachNew = (take: (text: string) => void): ((span: ReadableSpan) => void) => {
  const seen = new Set<string>()
  return (span) => {
    const text = JSON.stringify(shownSpan(span))
    if (seen.has(text)) return
    seen.add(text)
    take(text)
  }
}
