import path from 'node:path'
import { type DataMigrationOutcome, type StorageHost, usageError } from '@rollcall/cli'
import { verifyTrail } from '@rollcall/core'
import { type MigrationEnd, type MigrationTarget, migrateData, valueIn } from '@rollcall/storage-sql/moving'
import { presentKeys, requireSameKeys } from './access-tokens.ts'
import { type Config, inSchema } from './config.ts'
import { createNodeDigests } from './platform/node-digests.ts'
import { readSecret, requireSameSecret } from './secret.ts'
import { type DatabaseUrl, parseDatabaseUrl } from './setting-values.ts'
import { trustedConfig } from './trusted-config.ts'
import { findingsOnDatabase, requireTrust, statOf } from './trusted-files.ts'

type DataMigrationOptions = Parameters<StorageHost['migrateData']>[1]

/**
 * Moves everything, and lets the target be used once every row of it is found to be the same.
 * @throws {StorageNotUsable} one of the databases cannot be used for it
 * @throws {StartupError} the secret is not that of the source
 */
export const migrateBetween: StorageHost['migrateData'] = async (order, options) => {
  const config = trustedConfig()
  const { DATABASE_SCHEMA } = config
  const [from, to] = [databaseUrl(order.from, '--from'), databaseUrl(order.to, '--to')].map((url) =>
    'postgres' in url && !/[?&]schema=/.test(url.postgres)
      ? { postgres: inSchema(url.postgres, DATABASE_SCHEMA) }
      : url,
  ) as [DatabaseUrl, DatabaseUrl]
  if (isSame(from, to)) throw usageError('--from and --to name the same database. Name another to move to.')
  const files = [from, to].flatMap((url) => ('sqlite' in url ? [path.resolve(url.sqlite)] : []))
  requireTrust(files.flatMap(findingsOnDatabase))
  const source = await openSource(from)
  try {
    await requireSameSecret(config, settledIn(source))
    const target = await openTarget(to)
    try {
      return await migrate(config, source, target, options)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

const databaseUrl = (text: string, option: string): DatabaseUrl => {
  const url = parseDatabaseUrl(text)
  if (url !== undefined) return url
  throw usageError(`${option}: use sqlite:<file>, or postgres://user:password@host/database.`)
}

/** Of a PostgreSQL server that has two names, the lock says it. */
const isSame = (from: DatabaseUrl, to: DatabaseUrl): boolean => {
  if ('postgres' in from || 'postgres' in to)
    return 'postgres' in from && 'postgres' in to && from.postgres === to.postgres
  const [one, other] = [statOf(from.sqlite), statOf(to.sqlite)]
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino
}

const openSource = async (url: DatabaseUrl): Promise<MigrationEnd> =>
  'postgres' in url
    ? await (await import('@rollcall/storage-sql/postgres')).openPostgresSource(url.postgres)
    : await (await import('@rollcall/storage-sql/sqlite')).openSqliteSource(path.resolve(url.sqlite))

const openTarget = async (url: DatabaseUrl): Promise<MigrationTarget> =>
  'postgres' in url
    ? await (await import('@rollcall/storage-sql/postgres')).openPostgresTarget(url.postgres)
    : await (await import('@rollcall/storage-sql/sqlite')).openSqliteTarget(path.resolve(url.sqlite))

/** Nothing is ever settled in a source: what it does not know stays unknown. */
const settledIn = (source: MigrationEnd) => ({
  recall: (name: string) => valueIn(source, name),
  settle: async (_name: string, value: string) => value,
})

const migrate = async (
  config: Config,
  source: MigrationEnd,
  target: MigrationTarget,
  { onProgress, signal }: DataMigrationOptions,
): Promise<DataMigrationOutcome> => {
  const keys = (await presentKeys(config))?.jwks() ?? { keys: [] }
  const report = await migrateData(source, target, { onProgress, stop: signal })
  if (report.interrupted || report.differences.length > 0) return { ...report, audit: undefined }
  const digests = createNodeDigests(readSecret(config.DATA_DIR, config.SECRET))
  const { records, interrupted, broken } = await verifyTrail(target.audit, digests, { stop: signal })
  if (interrupted) return { ...report, interrupted, audit: undefined }
  await settleKeys(target, keys)
  await target.finish()
  return { ...report, audit: { records, broken: broken?.sequence ?? null } }
}

/** So that the first instance to start there has the same as all others, or is refused. */
const settleKeys = async (
  { resettle }: MigrationTarget,
  keys: Parameters<typeof requireSameKeys>[1],
): Promise<void> => {
  if (resettle === undefined) return
  const settle = async (name: string, value: string): Promise<string> => {
    await resettle(name, value)
    return value
  }
  await requireSameKeys({ recall: async () => undefined, settle, resettle }, keys)
}
