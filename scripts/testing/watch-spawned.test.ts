import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { answeredFile, SPANS_FOLDER, spansFile, watched } from '../../packages/app/test/watched-services.ts'
import { makeSpansFolder, takeSpawnedSpans } from './spawned-spans.ts'
import { strangeSpans } from './strange-spans.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'rollcall-spans-'))
  makeSpansFolder(folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The number of a process that ran this program under the watcher, and its end. */
const ran = (program: string, env: Readonly<Record<string, string>> = watched()) => {
  const text = `import { trace } from '@opentelemetry/api'; const tracer = trace.getTracer('rollcall'); ${program}`
  const options = { cwd: import.meta.dirname, env: { ...env, [SPANS_FOLDER]: folder }, encoding: 'utf8' } as const
  const { pid, signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', text], options)
  expect([signal, stderr]).toEqual(['SIGKILL', ''])
  return pid
}

const DIE = "process.kill(process.pid, 'SIGKILL')"

it('has the spans of a process that is killed, each text once', async () => {
  ran(`for (const name of ['webhook', 'ada@example.com', 'webhook']) tracer.startSpan(name).end(); ${DIE}`)
  const { spans, silent } = takeSpawnedSpans(folder)
  expect(spans.map((text) => JSON.parse(text).name)).toEqual(['webhook', 'ada@example.com'])
  expect(silent).toEqual([])
  expect(await strangeSpans(spans)).toEqual(['ada@example.com'])
})

it('takes each span once only, and reads past what was written half', () => {
  writeFileSync(spansFile(folder, 4711), '{"name":"webhook"}\n{"name":"transac')
  expect(takeSpawnedSpans(folder).spans).toEqual(['{"name":"webhook"}'])
  expect(takeSpawnedSpans(folder)).toEqual({ spans: [], silent: [] })
})

it('tells which processes have answered without a span', () => {
  const begun = ran(`tracer.startSpan('webhook'); ${DIE}`)
  const untraced = ran(DIE)
  const unwatched = ran(`tracer.startSpan('webhook').end(); ${DIE}`, {})
  for (const pid of [begun, untraced, unwatched]) writeFileSync(answeredFile(folder, pid), '')
  const { spans, silent } = takeSpawnedSpans(folder)
  expect(spans).toEqual([])
  expect(new Set(silent)).toEqual(new Set([untraced, unwatched]))
})
