import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type SourceChange, withChanges } from './source-change.ts'

/** A named point in the work of the service, which it publishes through `node:diagnostics_channel`. */
export interface Failpoint {
  readonly name: string
  readonly channel: string
  /** Only messages that match count: the source of a regular expression. */
  readonly matching?: string | undefined
}

/** A `kill -9` that a process does to itself at a failpoint. */
export interface Kill extends Omit<Failpoint, 'name'> {
  /** At which passage, counted from 1. */
  readonly passage: number
  /** Within so many milliseconds, at random; unless given, at once. */
  readonly within?: number | undefined
  /** Half of the answer that the message holds is written before. */
  readonly halfAnswered?: boolean | undefined
  /** From the start on, instead of from the arming signal on. */
  readonly armed?: boolean | undefined
}

/** What is done to a process of the service. */
export interface Injection {
  readonly changes?: readonly SourceChange[] | undefined
  readonly kill?: Kill | undefined
  /** Failpoints whose first passage is reported: a line with the name on standard error. */
  readonly watch?: readonly Failpoint[] | undefined
}

/** Arms a process. Before, it can be examined without being killed. */
export const ARMING_SIGNAL = 'SIGUSR2'

/** What a line about a watched failpoint begins with. */
export const REACHED = 'failpoint reached: '

/** The environment variable that names the file with the injection. */
export const INJECTION = 'RELIABILITY_INJECTION'

const ROOT = path.join(import.meta.dirname, '../..')
const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'preload.ts')).href

/** What Node is to be started with. The threads that the service starts get the same. */
interface InjectedProcess {
  /** Before the program's own arguments. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * How to start the service with this injection; `file` is made for it.
 * @throws {Error} a text to be replaced is not in the source exactly once
 */
export const injectedProcess = (injection: Injection, file: string): InjectedProcess => {
  const { changes = [], kill, watch = [] } = injection
  if (changes.length === 0 && watch.length === 0 && kill === undefined) return { args: [], env: {} }
  // Checked here: a service that never loads the file would not complain.
  for (const changed of new Set(changes.map((change) => change.file)))
    withChanges(changed, readFileSync(path.join(ROOT, changed), 'utf8'), changes)
  writeFileSync(file, JSON.stringify(injection))
  return { args: ['--import', PRELOAD], env: { [INJECTION]: file } }
}
