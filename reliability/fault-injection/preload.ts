// Loaded before the service (`node --import`).
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { CHANGES } from './fault-injection.ts'
import { type SourceChange, withChanges } from './source-change.ts'

const ROOT = path.join(import.meta.dirname, '../..')

const changes: readonly SourceChange[] = JSON.parse(readFileSync(process.env[CHANGES] ?? '', 'utf8'))
const files = new Set(changes.map(({ file }) => file))
registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    if (!url.startsWith('file:')) return loaded
    const file = path.relative(ROOT, fileURLToPath(url)).replaceAll(path.sep, '/')
    if (!files.has(file)) return loaded
    const { source } = loaded
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source ?? new Uint8Array())
    return { ...loaded, source: withChanges(file, text, changes) }
  },
})
