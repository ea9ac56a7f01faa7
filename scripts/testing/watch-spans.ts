import path from 'node:path'
import { trace } from '@opentelemetry/api'
import type { SpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, expect } from 'vitest'
import { registered } from '../../packages/app/test/traces.ts'
import { SPANS_FOLDER } from '../../packages/app/test/watched-services.ts'
import { scratchFolder } from './scratch-folder.ts'
import { onEachNew } from './shown-span.ts'
import { makeSpansFolder, takeSpawnedSpans } from './spawned-spans.ts'
import { strangeSpans } from './strange-spans.ts'

// Before every file of tests: the spans of all of them are looked at, whatever they test. Those of services in processes
// of their own come by files.

const folder = path.join(scratchFolder(), `spans-${process.pid}`)
makeSpansFolder(folder)
process.env[SPANS_FOLDER] = folder

const ownSpans: string[] = []

const watcher: SpanProcessor = {
  onStart: () => undefined,
  onEnd: onEachNew((text) => ownSpans.push(text)),
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
}

const registration = registered([watcher])

afterAll(async () => {
  trace.getTracer('rollcall').startSpan('transaction').end()
  registration[Symbol.dispose]()
  const { spans, silent } = takeSpawnedSpans(folder)
  expect(ownSpans, 'a test has left the spans of this process unwatched').not.toEqual([])
  expect(silent, 'processes of the service answered, and their spans were not watched').toEqual([])
  const strange = await strangeSpans([...new Set([...ownSpans, ...spans])])
  expect(strange, 'a span has a name or a value that is not listed in scripts/testing/strange-spans.ts').toEqual([])
})
