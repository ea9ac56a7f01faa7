import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { RecordedOperation } from '../disk/operation.ts'
import { SimulatedDisk } from '../disk/simulated-disk.ts'
import { everything } from '../disk/survival.ts'
import type { Demand } from './load-client.ts'
import { isVolatile, Operations } from './operations.ts'

/** What a service wrote to its disk and sent to others, in order; and what it was asked. */
export interface Recording {
  readonly folder: string
  readonly port: number
  readonly mail: 'files' | 'smtp'
  readonly token: string
  readonly demands: readonly Demand[]
  readonly operations: readonly RecordedOperation[]
}

/** Reads a recording from its folder. */
export const recordingIn = (folder: string): Recording => {
  const about = JSON.parse(readFileSync(path.join(folder, 'recording.json'), 'utf8'))
  const lines = readFileSync(path.join(folder, 'trace'), 'latin1').split('\n')
  const operations = [...new Operations(path.join(folder, 'disk')).of(lines)]
  // A promise has the moment at which its sending began, which may be during another operation.
  return { folder, ...about, operations: operations.sort((a, b) => a.moment - b.moment) }
}

/**
 * Compares the recording with the real disk: if nothing is lost, both must be equal, byte by byte.
 * @throws {Error} they are not
 */
export const requireFaithful = ({ folder, operations }: Recording): void => {
  const simulated = new SimulatedDisk()
  for (const operation of operations) simulated.apply(operation)
  const content = simulated.contentAfter(everything)
  const disk = path.join(folder, 'disk')
  const names = readdirSync(disk, { recursive: true, encoding: 'utf8' })
  const astray = [...new Set([...names, ...content.keys()])].filter((name) => {
    if (!names.includes(name) || !content.has(name)) return true
    const bytes = content.get(name)
    return bytes !== undefined && !isVolatile(name) && !readFileSync(path.join(disk, name)).equals(bytes)
  })
  if (astray.length > 0) throw new Error(`the recording does not match the disk in: ${astray.join(', ')}`)
}
