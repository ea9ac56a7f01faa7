import type pg from 'pg'
import { StorageNotUsable } from '../storage-not-usable.ts'
import { asNotUsable } from './postgres-error.ts'

const OLDEST_SERVER = 150_000

interface Facts {
  readonly version: string
  readonly encoding: string
}

/**
 * Sees that the server can keep the promises.
 * @throws {StorageNotUsable} it cannot be reached, is too old, cannot be written, or does not store UTF-8
 */
export const requireServer = async (pool: Pick<pg.Pool, 'query'>, server: string): Promise<void> => {
  try {
    const { rows } = await pool.query<{ version: string; encoding: string }>(
      "SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding",
    )
    requireFacts(rows[0] ?? { version: '0', encoding: '' }, server)
  } catch (error) {
    throw asNotUsable(error, server)
  }
}

export const requireFacts = ({ version, encoding }: Facts, server: string): void => {
  if (Number(version) < OLDEST_SERVER)
    throw new StorageNotUsable('server-version', `PostgreSQL 15 or later is needed; the server ${server} is older.`)
  if (encoding === 'UTF8') return
  const message = `The database on ${server} is encoded as ${encoding}. Create one with ENCODING 'UTF8' TEMPLATE template0.`
  throw new StorageNotUsable('settings', message)
}
