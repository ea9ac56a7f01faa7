import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Random } from '../../random.ts'
import type { DiskContent } from '../disk/simulated-disk.ts'
import { isVolatile } from '../recording/happenings.ts'

const SHARED_MEMORY = 32 * 1024

/** Makes a folder that holds this. Shared memory was never synced: it holds anything at all. */
export const putOnDisk = (folder: string, content: DiskContent, random: Random): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const [name, bytes] of content) {
    const file = path.join(folder, name)
    if (bytes === undefined) mkdirSync(file, { mode: 0o700 })
    else writeFileSync(file, isVolatile(name) ? garbage(random) : bytes, { mode: 0o600 })
  }
}

const garbage = (random: Random): Uint8Array => {
  const byte = random.whole(0, 255)
  return new Uint8Array(random.pick([0, 3, SHARED_MEMORY])).fill(byte)
}
