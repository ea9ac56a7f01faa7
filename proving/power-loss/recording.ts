import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Action } from '../shared/model.ts'
import type { RecordedOperation } from './operation.ts'
import { isVolatile, Operations } from './operations.ts'
import { SimulatedDisk } from './simulated-disk.ts'
import { everything } from './survival.ts'

/** A request to the service, or a command. A person has one at a time. */
export interface Demand {
  readonly requestId: string
  readonly action: Action
  readonly email: string
  readonly userId: string
}

/** What a service wrote to its disk and sent to others, in order; and what it was asked. */
export interface Recording {
  readonly folder: string
  readonly mail: 'files' | 'smtp'
  /** Of an administrator; and one that is revoked by the first request. */
  readonly token: string
  readonly revoked: string
  /** The ids of subscriptions, by address. */
  readonly ids: Readonly<Record<string, number>>
  readonly demands: readonly Demand[]
  readonly operations: readonly RecordedOperation[]
}

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
