// Loaded before the service (`node --import`).
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync, writeSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { ARMING_SIGNAL, type Failpoint, INJECTION, type Injection, type Kill, REACHED } from './fault-injection.ts'
import { type SourceChange, withChanges } from './source-change.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const STDERR = 2

const applyChanges = (changes: readonly SourceChange[]): void => {
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
}

const killAt = ({ channel, matching, passage, within, halfAnswered }: Kill): void => {
  const wanted = new RegExp(matching ?? '')
  // The signal cannot be caught and is for all threads: nothing of the process runs once the call is made.
  const kill = (): void => void process.kill(process.pid, 'SIGKILL')
  let passages = 0
  subscribe(channel, (message) => {
    if (!wanted.test(String(message)) || ++passages !== passage) return
    if (halfAnswered) writeHalf(message as Answer)
    if (within === undefined) kill()
    else setTimeout(kill, Math.random() * within)
  })
}

interface Answer {
  readonly response: ServerResponse
  readonly status: number
  readonly body: string
}

const writeHalf = ({ response, status, body }: Answer): void => {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  response.write(body.slice(0, body.length / 2))
  // Node holds back what is written until the next tick, which does not come.
  response.socket?.uncork()
}

const report = ({ name, channel, matching }: Failpoint): void => {
  const wanted = new RegExp(matching ?? '')
  let reached = false
  subscribe(channel, (message) => {
    if (reached || !wanted.test(String(message))) return
    reached = true
    writeSync(STDERR, `${REACHED}${name}\n`)
  })
}

const { changes = [], kill, watch = [] }: Injection = JSON.parse(readFileSync(process.env[INJECTION] ?? '', 'utf8'))
applyChanges(changes)
if (isMainThread) {
  watch.forEach(report)
  if (kill?.armed) killAt(kill)
  process.on(ARMING_SIGNAL, () => {
    if (kill !== undefined) killAt(kill)
  })
}
