import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Happening } from '../disk/happening.ts'
import type { Demand } from './demand.ts'
import { Happenings } from './happenings.ts'

/** What a service did to its disk and said to others, in order; and what had been asked of it. */
export interface Recording {
  readonly folder: string
  readonly port: number
  readonly mail: 'files' | 'smtp'
  readonly token: string
  readonly demands: readonly Demand[]
  readonly happenings: readonly Happening[]
}

/** Reads a recording that was made before. */
export const recordingIn = (folder: string): Recording => {
  const about = JSON.parse(readFileSync(path.join(folder, 'recording.json'), 'utf8'))
  const lines = readFileSync(path.join(folder, 'trace'), 'latin1').split('\n')
  const happenings = [...new Happenings(path.join(folder, 'disk')).of(lines)]
  // A promise is noted when its telling begins, which may be while something else is being done.
  return { folder, ...about, happenings: happenings.sort((a, b) => a.moment - b.moment) }
}
