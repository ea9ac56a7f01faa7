import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type BackupOutcome, CliError, ExitCode } from '@rollcall/cli'
import { keyFile } from '../access-tokens.ts'
import { type Config, readConfig } from '../config.ts'
import { existingSecret } from '../secret.ts'

interface BackupOrder {
  readonly file: string
  readonly replace: boolean
  readonly keys: boolean
}

interface BackupOptions {
  readonly onProgress: (bytes: number, total: number) => void
}

/** @throws {StorageNotUsable} the database or the place for the backup cannot be used */
export const backUp = async (order: BackupOrder, { onProgress }: BackupOptions): Promise<BackupOutcome> => {
  const config = readConfig()
  requireSqlite(config)
  const { backupSqlite } = await import('@rollcall/storage-sql/sqlite')
  const files = order.keys ? keysOf(config) : []
  const { file: to, replace } = order
  const backup = await backupSqlite({ file: config.databaseFile, to, replace, files }, { onProgress })
  return { ...backup, files: files.map(({ name }) => name) }
}

/** @throws {CliError} the database is on a PostgreSQL server */
export const requireSqlite = ({ postgresUrl }: Config): void => {
  if (postgresUrl === undefined) return
  const message =
    'The database is on PostgreSQL. Back it up and restore it there, with pg_dump or continuous archiving; docs/operating.md says what to see to.'
  throw new CliError(message, { name: 'BackedUpElsewhere', exitCode: ExitCode.unusable })
}

/** What of the data folder the database is of no use without; what the environment has is kept where that is. */
const keysOf = (config: Config) => {
  const secret = config.SECRET === undefined ? existingSecret(config.DATA_DIR) : undefined
  const keys = config.SIGNING_KEYS === undefined && existsSync(keyFile(config)) ? keyFile(config) : undefined
  return [
    ...(secret === undefined ? [] : [{ name: 'secret', content: secret }]),
    ...(keys === undefined ? [] : [{ name: path.basename(keys), content: readFileSync(keys, 'utf8') }]),
  ]
}
