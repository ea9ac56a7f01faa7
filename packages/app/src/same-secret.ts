import path from 'node:path'
import type { Config } from './config.ts'
import { fingerprintOf } from './platform/node-digests.ts'
import { existingSecret, readSecret } from './secret.ts'
import { StartupError } from './startup-error.ts'
import type { Storage } from './storage.ts'

/** What the database remembers the secret by. */
export const SECRET_FINGERPRINT = 'secret-fingerprint'

/**
 * Sees that a database is never worked on with another secret than at first: every link in a mail would be dead, ids
 * would change, and who refused mails would get them again.
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
/** What to do where it is not there, or another. */
export const OTHER_SECRET =
  'Put it back from a backup, or begin anew with another ROLLCALL_DATA_DIR; docs/operating.md says what is lost without it.'
