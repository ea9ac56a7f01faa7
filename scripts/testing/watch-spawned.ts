// Loaded before a service that a test starts as a process (`node --import`). What its spans say is written at once: tests
// kill services at any instant.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { SPANS_FOLDER, spansFile } from '../../packages/app/test/watched-services.ts'

const folder = process.env[SPANS_FOLDER]
if (isMainThread && folder !== undefined) {
  const { registered } = await import('../../packages/app/test/traces.ts')
  const { onEachNew } = await import('./shown-span.ts')
  const file = spansFile(folder, process.pid)
  const write = onEachNew((text) => appendFileSync(file, `${text}\n`))
  let hasBegun = false
  registered([
    {
      onStart: () => {
        if (hasBegun) return
        hasBegun = true
        appendFileSync(file, '')
      },
      onEnd: write,
      forceFlush: async () => undefined,
      shutdown: async () => undefined,
    },
  ])
}
