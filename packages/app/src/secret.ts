import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { StartupError } from './startup-error.ts'

const SHORTEST = 32

/** Creates the data folder, for this user alone, unless it is there. */
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
}

/** The secret that was configured; else the one in the data folder, made there on the first start. */
export const readSecret = (dataDir: string, configured: string | undefined): string => {
  if (configured !== undefined) return configured
  const file = path.join(dataDir, 'secret')
  const secret = existing(file) ?? makeSecret(file)
  if (secret.length >= SHORTEST) return secret
  throw new StartupError(`The secret in ${file} is cut short. Put the file back from a backup.`)
}

const existing = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StartupError(`The secret in ${file} cannot be read. Mend its rights, or set ROLLCALL_SECRET.`, {
      cause: error,
    })
  }
}

// Written whole under another name, then linked: of two processes that start at once, one wins and both use its secret.
const makeSecret = (file: string): string => {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'w', flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return readFileSync(file, 'utf8').trim()
}
