import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { fromSource, type Program } from '../../proving/shared/service.ts'
import { type SourceChange, withChanges } from './source-change.ts'

/** The environment variable that names the file with the changes. */
export const CHANGES = 'RELIABILITY_CHANGES'

const ROOT = path.join(import.meta.dirname, '../..')
const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'preload.ts')).href

/**
 * The service from its source with these changes; `file` is made for them.
 * @throws {Error} a text to be replaced is not in the source exactly once
 */
export const changedSource = (changes: readonly SourceChange[], file: string): Program => {
  // Checked here: a service that never loads the file would not complain.
  for (const changed of new Set(changes.map((change) => change.file)))
    withChanges(changed, readFileSync(path.join(ROOT, changed), 'utf8'), changes)
  writeFileSync(file, JSON.stringify(changes))
  return { args: ['--import', PRELOAD, ...fromSource().args], env: { [CHANGES]: file } }
}
