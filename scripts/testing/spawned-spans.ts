import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { answeredFile, spansFile } from '../../packages/app/test/watched-services.ts'

interface SpawnedSpans {
  /** What they say, as JSON. */
  readonly spans: readonly string[]
  /** Processes that have answered a request, and of which no span has begun. */
  readonly silent: readonly number[]
}

/** A folder that services may write to under any user. */
export const makeSpansFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o777)
}

/** What watched services have left in the folder, which is empty then. It stays: a service that still runs may go on. */
export const takeSpawnedSpans = (folder: string): SpawnedSpans => {
  const files = readdirSync(folder)
  const pids = [...new Set(files.map((file) => Number.parseInt(file, 10)))]
  const silent = pids.filter((pid) => existsSync(answeredFile(folder, pid)) && !existsSync(spansFile(folder, pid)))
  const spans = new Set<string>()
  for (const file of files.filter((file) => file.endsWith('.jsonl')))
    for (const line of wholeLinesOf(path.join(folder, file))) spans.add(line)
  for (const file of files) rmSync(path.join(folder, file))
  return { spans: [...spans], silent }
}

/** Without what a process wrote half of when it was killed. */
const wholeLinesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1)
