import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

// As the guide has it, but that the exporter throws away what it is given. The launcher and other threads load it, too.
const exporter = {
  export: (_: unknown, done: (result: { readonly code: 0 }) => void) => setImmediate(() => done({ code: 0 })),
  shutdown: async () => undefined,
}
new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] }).register()
