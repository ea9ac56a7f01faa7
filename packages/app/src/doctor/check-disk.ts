import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Check } from './check.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const MIB = 1024 * 1024
const LEAST = 64 * MIB
const COMFORTABLE = 1024 * MIB

/** Room for the database and its log, and to write it anew. */
export const checkDisk: Check = {
  name: 'disk',
  run: async ({ config: { DATA_DIR, databaseFile, postgresUrl } }) => {
    const folder = existing(postgresUrl === undefined ? path.dirname(databaseFile) : path.resolve(DATA_DIR))
    const { bavail, bsize } = await statfs(folder)
    const size = statSync(databaseFile, { throwIfNoEntry: false })?.size ?? 0
    return [judged(bavail * bsize, size, folder)]
  },
}

const existing = (folder: string): string => (existsSync(folder) ? folder : existing(path.dirname(folder)))

/** @param free and @param database in bytes */
export const judged = (free: number, database: number, folder: string): Finding => {
  const message = `${sizeText(free)} are free on the disk of ${folder}.`
  const remedy = 'Make room, or move the folder: without any, nothing can be stored any more.'
  if (free < LEAST) return failed(message, remedy)
  return free < Math.max(COMFORTABLE, database) ? warning(message, remedy) : ok(message)
}

const sizeText = (bytes: number): string => {
  const mebibytes = bytes / MIB
  return mebibytes < 1024 ? `${Math.floor(mebibytes)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`
}
