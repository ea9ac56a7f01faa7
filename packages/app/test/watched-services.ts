import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The environment variable that names the folder for spans of services in processes of their own. Only the setup of tests sets it. */
export const SPANS_FOLDER = 'TESTS_SPANS_FOLDER'

const WATCHER = pathToFileURL(path.join(import.meta.dirname, '../../../scripts/testing/watch-spawned.ts')).href

/** What a service is started with, so that its spans are looked at; nothing outside of tests. */
export const watched = (): Readonly<Record<string, string>> => {
  const folder = process.env[SPANS_FOLDER]
  if (folder === undefined) return {}
  return { NODE_OPTIONS: `--import=${WATCHER}`, [SPANS_FOLDER]: folder, ROLLCALL_TRACING_RATE: 'off' }
}

/** What the spans of a process say, a line for each that says something new. It is there once a span has begun. */
export const spansFile = (folder: string, pid: number): string => path.join(folder, `${pid}.jsonl`)

/** That a process has answered a request, so that a span of it has begun. */
export const answeredFile = (folder: string, pid: number): string => path.join(folder, `${pid}.answered`)

/** Notes that a service that is watched has answered a request; a test file fails whose service did and has no span. */
export const noteAnswer = (pid: number): void => {
  const folder = process.env[SPANS_FOLDER]
  if (folder !== undefined) writeFileSync(answeredFile(folder, pid), '')
}

/**
 * What the spans of a watched service say so far.
 * @throws {Error} no span of it has begun
 */
export const spanLinesOf = (pid: number): string[] => {
  const text = readFileSync(spansFile(process.env[SPANS_FOLDER] ?? '', pid), 'utf8')
  return text.split('\n').filter((line) => line !== '')
}
