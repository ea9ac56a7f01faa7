import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type BackupOutcome, CliError, ExitCode, type StorageHost } from '@rollcall/cli'
import { Sealer } from '@rollcall/core'
import { systemClock } from '@rollcall/platform-node'
import type { SqliteStorage } from '@rollcall/storage-sql/sqlite'
import type { Config } from '../config.ts'
import { LOCK_PAUSE } from '../database.ts'
import { LAST_BACKUP, noteDone } from '../last-done.ts'
import { createNodeDigests, fingerprintOf } from '../platform/node-digests.ts'
import { existingSecret, SECRET_FINGERPRINT } from '../secret.ts'
import { StartupError } from '../startup-error.ts'
import { trustedConfig } from '../trusted-config.ts'
import { keptInFolder } from './kept-keys.ts'

/**
 * @throws {StorageNotUsable} the database or the place for the backup cannot be used
 * @throws {StartupError} the secret here is not that of the database
 */
export const backUp: StorageHost['backUp'] = async (order, { onProgress, signal }) => {
  const config = trustedConfig()
  requireSqlite(config)
  const { backupSqlite } = await import('@rollcall/storage-sql/sqlite')
  const secret = config.SECRET ?? existingSecret(config.DATA_DIR)
  if (secret !== undefined) await sealFirst(config, secret)
  const files = order.keys ? keysOf(config) : []
  const { file: to, replace } = order
  const check = order.keys ? requireItsSecret(config, secret) : undefined
  const backup = await backupSqlite({ file: config.databaseFile, to, replace, files, check }, { onProgress, signal })
  // The backup is there all the same.
  const note = beside(config, (storage) => noteDone(storage, LAST_BACKUP, { at: systemClock.now(), well: true }))
  await note.catch(() => undefined)
  return {
    ...backup,
    files: files.map(({ name }) => name),
    secret: whereaboutsOf(config, secret, order.keys),
    elsewhere: keptInFolder(config).flatMap(({ name, file }) => (files.some((one) => one.name === name) ? [] : [file])),
  }
}

/** So that nobody can cut what the backup has unnoticed. A database that cannot be written is backed up as it is. */
const sealFirst = (config: Config, secret: string): Promise<void> =>
  beside(config, async (storage) => {
    const known = await storage.recall(SECRET_FINGERPRINT)
    // Another secret would make seals that do not hold.
    if (known !== fingerprintOf(secret)) return
    await new Sealer({ ...storage, clock: systemClock, digests: createNodeDigests(secret) }).sealIfPossible()
  })

/** Works on the database beside a server; not on one that cannot be written. */
const beside = async (
  { databaseFile: file }: Config,
  work: (storage: SqliteStorage) => Promise<void>,
): Promise<void> => {
  const { openSqliteStorage } = await import('@rollcall/storage-sql/sqlite')
  const storage = await openSqliteStorage({ file, lockPause: LOCK_PAUSE }).catch(() => undefined)
  if (storage === undefined) return
  await work(storage).finally(() => storage.close())
}

/** A secret that is not that of the database would only be found out by a restore. */
const requireItsSecret =
  ({ DATA_DIR, SECRET }: Config, secret: string | undefined) =>
  (recall: (name: string) => string | undefined): void => {
    const known = recall(SECRET_FINGERPRINT)
    if (known === undefined || secret === undefined || fingerprintOf(secret) === known) return
    const which = SECRET === undefined ? `The secret ${path.join(DATA_DIR, 'secret')}` : 'ROLLCALL_SECRET'
    const message = `${which} is not the one that this database was begun with, so the backup could not be restored with it. Put the right one back, or leave out --with-keys and keep the right one elsewhere.`
    throw new StartupError(message)
  }

const whereaboutsOf = ({ SECRET }: Config, secret: string | undefined, keys: boolean): BackupOutcome['secret'] => {
  if (secret === undefined) return 'missing'
  if (!keys) return 'left-out'
  return SECRET === undefined ? 'held' : 'environment'
}

/** @throws {CliError} the database is on a PostgreSQL server */
export const requireSqlite = ({ postgresUrl }: Config): void => {
  if (postgresUrl === undefined) return
  const message =
    'The database is on PostgreSQL. Back it up and restore it there, with pg_dump or continuous archiving; docs/guides/back-up-and-move.md says what to see to.'
  throw new CliError(message, { name: 'BackedUpElsewhere', exitCode: ExitCode.unusable })
}

/** What the environment has is kept where that is. */
const keysOf = (config: Config) =>
  keptInFolder(config)
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, content: readFileSync(file, 'utf8') }))
