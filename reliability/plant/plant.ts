// Loaded before the service (`node --import`): changes its source while it is read.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ARMING_SIGNAL } from './kill-at.ts'
import { PLANTINGS } from './planted-process.ts'
import { type Planting, planted } from './planting.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const plantings: readonly Planting[] = JSON.parse(readFileSync(process.env[PLANTINGS] ?? '', 'utf8'))
const files = new Set(plantings.map(({ file }) => file))

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    if (!url.startsWith('file:')) return loaded
    const file = path.relative(ROOT, fileURLToPath(url)).replaceAll(path.sep, '/')
    if (!files.has(file)) return loaded
    const { source } = loaded
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source ?? new Uint8Array())
    return { ...loaded, source: planted(file, text, plantings) }
  },
})

process.on(ARMING_SIGNAL, () => {
  Object.assign(globalThis, { [Symbol.for('reliability.armed')]: true })
})
