import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { realName } from '../private-file.ts'

/** Where a database goes that a restore replaces. */
export const asideOf = (live: string, what: 'replaced' | 'unreadable'): string => `${live}.${what}-${Date.now()}`

/** The databases that restores have kept beside this one. */
export const keptBeside = (file: string): readonly string[] => {
  const live = realName(file)
  const folder = path.dirname(live)
  if (!existsSync(folder)) return []
  const beginning = `${path.basename(live)}.`
  return readdirSync(folder)
    .filter((name) => name.startsWith(beginning) && /^(?:replaced|unreadable)-\d+$/.test(name.slice(beginning.length)))
    .map((name) => path.join(folder, name))
}
