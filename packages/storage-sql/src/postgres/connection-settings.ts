import { readFileSync } from 'node:fs'
import type { PoolConfig } from 'pg'
import { StorageNotUsable } from '../storage-not-usable.ts'

/** Where the server is and how it is used, read from a URL. */
export interface ConnectionSettings {
  /** Host and database, for messages; never the password. */
  readonly server: string
  readonly pool: PoolConfig
}

/** Connections of one instance, unless the URL says otherwise by `pool`. */
const POOL_SIZE = 10
const LARGEST_POOL = 200

const LOOPBACK = /^(?:127(?:\.\d+){3}|\[?::1\]?|localhost)$/
const KNOWN = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host', 'pool', 'application_name']

/**
 * `postgres://user:password@host:port/database?sslmode=...&pool=...`. Beyond this machine the server must prove who it is
 * (`verify-full`), unless the URL says otherwise.
 * @throws {StorageNotUsable} it is none, or names a file that cannot be read
 */
export const connectionSettings = (text: string): ConnectionSettings => {
  const url = URL.parse(text)
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw wrong('is not of the form postgres://user@host/db')
  const query = url.searchParams
  for (const name of query.keys())
    if (!KNOWN.includes(name)) throw wrong(`has the parameter '${name}', which is none of ${KNOWN.join(', ')}`)
  const host = query.get('host') ?? decodeURIComponent(url.hostname.replace(/^\[|\]$/g, '') || 'localhost')
  const database = decodeURIComponent(url.pathname.slice(1)) || undefined
  return {
    server: `${host.startsWith('/') ? host : `${host}:${url.port || 5432}`}${database ? `/${database}` : ''}`,
    pool: {
      host,
      port: url.port === '' ? 5432 : Number(url.port),
      ...(database === undefined ? {} : { database }),
      ...(url.username === '' ? {} : { user: decodeURIComponent(url.username) }),
      ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
      ssl: encryption(query, host),
      max: poolSize(query.get('pool')),
      application_name: query.get('application_name') ?? 'rollcall',
    },
  }
}

const wrong = (problem: string) => new StorageNotUsable('settings', `The URL of the PostgreSQL server ${problem}.`)

const poolSize = (text: string | null): number => {
  if (text === null) return POOL_SIZE
  const size = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (size < 3 || size > LARGEST_POOL) throw wrong(`has a 'pool' that is no number from 3 to ${LARGEST_POOL}`)
  return size
}

const encryption = (query: URLSearchParams, host: string): PoolConfig['ssl'] => {
  const local = host.startsWith('/') || LOOPBACK.test(host)
  const mode = query.get('sslmode') ?? (local && !query.has('sslrootcert') ? 'disable' : 'verify-full')
  const files = {
    ...file(query, 'sslrootcert', 'ca'),
    ...file(query, 'sslcert', 'cert'),
    ...file(query, 'sslkey', 'key'),
  }
  if (mode === 'disable') return false
  if (mode === 'verify-full') return files
  if (mode === 'verify-ca') return { ...files, checkServerIdentity: () => undefined }
  if (mode === 'no-verify') return { ...files, rejectUnauthorized: false }
  // What others mean by it (encrypt, and trust whoever answers) protects from nobody who is in the way.
  throw wrong(`has the sslmode '${mode}'. Use verify-full, verify-ca, no-verify or disable`)
}

const file = (query: URLSearchParams, name: string, option: 'ca' | 'cert' | 'key') => {
  const path = query.get(name)
  if (path === null) return {}
  try {
    return { [option]: readFileSync(path, 'utf8') }
  } catch (error) {
    throw new StorageNotUsable('settings', `The file ${path} (${name}) cannot be read. Mend its rights or the name.`, {
      cause: error,
    })
  }
}
