import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node'
import type { TracingMode } from './measure-tracing.ts'

/** As the guide has it, but that the exporter throws away what it is given. */
const batches = (): SpanProcessor =>
  new BatchSpanProcessor({
    export: (_, done) => setImmediate(() => done({ code: 0 })),
    shutdown: async () => undefined,
  })

// The launcher and other threads are started with the same options.
const mode = process.env.BENCH_TRACING as Exclude<TracingMode, 'off'>
new NodeTracerProvider({
  sampler: new ParentBasedSampler({
    root: mode === 'one in a hundred' ? new TraceIdRatioBasedSampler(0.01) : new AlwaysOnSampler(),
  }),
  spanProcessors: mode === 'all, without an exporter' ? [] : [batches()],
}).register()
