import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'

/**
 * A new folder that goes with this process. On the disk of the project: the system's temporary folder may be in memory.
 * Below the project, so that packages are found from there.
 */
export const makeScratch = (name: string): string => {
  const cache = path.join(import.meta.dirname, '../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(path.join(cache, `${name}-`))
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
  return scratch
}
