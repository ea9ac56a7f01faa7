import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { SimulatedDisk } from '../disk/simulated-disk.ts'
import { everything } from '../disk/survival.ts'
import { isVolatile } from './happenings.ts'
import type { Recording } from './recording.ts'

/**
 * Holds the recording against the disk that it was made of: if nothing is lost, both must be the same to the byte.
 * @throws {Error} they are not
 */
export const requireFaithful = ({ folder, happenings }: Recording): void => {
  const simulated = new SimulatedDisk()
  for (const happening of happenings) simulated.apply(happening)
  const content = simulated.contentAfter(everything)
  const disk = path.join(folder, 'disk')
  const names = readdirSync(disk, { recursive: true, encoding: 'utf8' })
  const astray = [...new Set([...names, ...content.keys()])].filter((name) => {
    if (!names.includes(name) || !content.has(name)) return true
    const bytes = content.get(name)
    return bytes !== undefined && !isVolatile(name) && !readFileSync(path.join(disk, name)).equals(bytes)
  })
  if (astray.length > 0) throw new Error(`the recording is not what is on the disk: ${astray.join(', ')}`)
}
