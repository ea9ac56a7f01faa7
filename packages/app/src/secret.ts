import { randomBytes } from 'node:crypto'
import { readFileSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { accessProblem, createPrivateFileSync, hasErrorCode, makePrivateFolderSync } from '@rollcall/platform-node'
import type { Config } from './config.ts'
import type { Storage } from './database.ts'
import { fingerprintOf } from './platform/node-digests.ts'
import { StartupError } from './startup-error.ts'

const SHORTEST = 32

/** What the database remembers the secret by. */
export const SECRET_FINGERPRINT = 'secret-fingerprint'

/** What to do if it is not there, or another. */
export const OTHER_SECRET =
  'Put it back from where you keep a copy, or start over with another ROLLCALL_DATA_DIR; docs/reference/files.md says what is lost without it.'

/** Creates the data folder, for this user alone and durably, unless it is there. */
export const makeDataDir = (dataDir: string): void => {
  try {
    makePrivateFolderSync(path.resolve(dataDir))
  } catch (error) {
    const message = `The data folder ${dataDir} cannot be made. Choose another with ROLLCALL_DATA_DIR, or fix its permissions.`
    throw new StartupError(message, { cause: error })
  }
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
  const access = accessProblem(file, found.stats)
  if (access?.refused)
    throw new StartupError(`The secret in ${file} ${access.problem}. ${access.remedy}`, { cause: access })
  if (found.text.length >= SHORTEST) return found.text
  throw new StartupError(`The secret in ${file} is cut short. Put the file back from where you keep a copy.`)
}

const contentOf = (file: string): { readonly text: string; readonly stats: Stats } | undefined => {
  try {
    return { text: readFileSync(file, 'utf8').trim(), stats: statSync(file) }
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw new StartupError(`The secret in ${file} cannot be read. Fix its permissions, or set ROLLCALL_SECRET.`, {
      cause: error,
    })
  }
}

const makeSecret = (dataDir: string): string => {
  const file = path.join(dataDir, 'secret')
  try {
    // The database remembers its secret from now on: a loss of power must not take the one and leave the other.
    createPrivateFileSync(file, `${randomBytes(32).toString('hex')}\n`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartupError(
      `The secret ${file} cannot be made (${code}). Fix the permissions of its folder, make room on the disk, or set ROLLCALL_SECRET.`,
      { cause: error },
    )
  }
  const made = existingSecret(dataDir)
  if (made !== undefined) return made
  throw new StartupError(`The secret ${file} vanished while it was made. Start again.`)
}

/**
 * Sees that a database is never worked on with another secret than at first: ids would change, and who refused mails would
 * get them again.
 * @throws {StartupError} the secret is missing or another, and a new one has not been made
 */
export const requireSameSecret = async (
  { DATA_DIR, SECRET }: Config,
  storage: Pick<Storage, 'recall' | 'settle'>,
): Promise<void> => {
  const known = await storage.recall(SECRET_FINGERPRINT)
  if (known !== undefined && SECRET === undefined && existingSecret(DATA_DIR) === undefined)
    throw new StartupError(`${fileIn(DATA_DIR)} of this database is missing. ${OTHER_SECRET}`)
  const fingerprint = fingerprintOf(readSecret(DATA_DIR, SECRET))
  if ((known ?? (await storage.settle(SECRET_FINGERPRINT, fingerprint))) === fingerprint) return
  const which = SECRET === undefined ? fileIn(DATA_DIR) : 'ROLLCALL_SECRET'
  throw new StartupError(`${which} is not the one that this database was begun with. ${OTHER_SECRET}`)
}

const fileIn = (dataDir: string): string => `The secret ${path.join(dataDir, 'secret')}`
