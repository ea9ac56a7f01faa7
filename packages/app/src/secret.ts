import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { syncFolder } from './platform/sync-folder.ts'
import { StartupError } from './startup-error.ts'

const SHORTEST = 32
const OTHERS = 0o077

/** Creates the data folder, for this user alone and durably, unless it is there. */
export const makeDataDir = (dataDir: string): void => {
  try {
    makeFolder(path.resolve(dataDir))
  } catch (error) {
    const message = `The data folder ${dataDir} cannot be made. Choose another with ROLLCALL_DATA_DIR, or mend its rights.`
    throw new StartupError(message, { cause: error })
  }
}

// Step by step: mkdir's own `recursive` goes on for ever where a folder takes no other, as in /proc.
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  if (path.dirname(folder) !== folder) makeFolder(path.dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
    chmodSync(folder, 0o700)
  } catch (error) {
    // Another process that starts at the same time was quicker.
    if (!existsSync(folder)) throw error
  }
  syncFolder(path.dirname(folder))
}

/**
 * The secret that was configured; else the one in the data folder, made there on the first start.
 * @throws {StartupError} it cannot be read or made, is damaged, or is open to others
 */
export const readSecret = (dataDir: string, configured: string | undefined): string => {
  if (configured !== undefined) return configured
  return existingSecret(dataDir) ?? makeSecret(dataDir)
}

/**
 * The secret in the data folder.
 * @throws {StartupError} it cannot be read, is damaged, or is open to others
 */
export const existingSecret = (dataDir: string): string | undefined => {
  const file = path.join(dataDir, 'secret')
  const found = contentOf(file)
  if (found === undefined) return undefined
  // Windows has no such bits; its files take after their folder.
  if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0)
    throw new StartupError(`The secret in ${file} is open to other users. Close it: chmod 600 ${file}`)
  if (found.text.length >= SHORTEST) return found.text
  throw new StartupError(`The secret in ${file} is cut short. Put the file back from a backup.`)
}

const contentOf = (file: string): { readonly text: string; readonly mode: number } | undefined => {
  try {
    return { text: readFileSync(file, 'utf8').trim(), mode: statSync(file).mode }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StartupError(`The secret in ${file} cannot be read. Mend its rights, or set ROLLCALL_SECRET.`, {
      cause: error,
    })
  }
}

const makeSecret = (dataDir: string): string => {
  const file = path.join(dataDir, 'secret')
  try {
    publish(file, `${randomBytes(32).toString('hex')}\n`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartupError(
      `The secret ${file} cannot be made (${code}). Mend the rights of its folder, make room on the disk, or set ROLLCALL_SECRET.`,
      { cause: error },
    )
  }
  const made = existingSecret(dataDir)
  if (made !== undefined) return made
  throw new StartupError(`The secret ${file} vanished while it was made. Start again.`)
}

// Written whole under another name, then linked: of two processes that start at once, one wins and both use its secret.
const publish = (file: string, text: string): void => {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'w', flush: true })
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  // The database remembers its secret from now on: a loss of power must not take the one and leave the other.
  syncFolder(path.dirname(file))
}
