import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Planting, planted } from './planting.ts'

/** The environment variable that names the file in which the plantings are. */
export const PLANTINGS = 'RELIABILITY_PLANTINGS'

const ROOT = path.join(import.meta.dirname, '../..')
const HOOK = pathToFileURL(path.join(import.meta.dirname, 'plant.ts')).href

/** What Node is to be started with. Threads that the service starts are planted, too. */
export interface PlantedProcess {
  /** Before the program's own arguments. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * How to start the service from its source with these changes; `list` is a file that is made for it.
 * @throws {Error} something that is to be replaced is not there exactly once
 */
export const plantedProcess = (plantings: readonly Planting[], list: string): PlantedProcess => {
  if (plantings.length === 0) return { args: [], env: {} }
  // Told here, once and loudly: a service that never loads the file would not say it.
  for (const file of new Set(plantings.map((planting) => planting.file)))
    planted(file, readFileSync(path.join(ROOT, file), 'utf8'), plantings)
  writeFileSync(list, JSON.stringify(plantings))
  return { args: ['--import', HOOK], env: { [PLANTINGS]: list } }
}
