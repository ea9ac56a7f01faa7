import { readFileSync, statSync } from 'node:fs'
import { accessProblem } from '@rollcall/platform-node'
import type { PoolConfig } from 'pg'
import { StorageNotUsable } from '../storage-not-usable.ts'

/** Where one server listens. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Whose connections are. */
export type Login = Pick<PoolConfig, 'user' | 'password'>

/** Where the server is and how it is used, read from a URL. */
export interface ConnectionSettings {
  /** Hosts and database, for messages; never the password. */
  readonly server: string
  /** Of these the one that takes writes is used. */
  readonly endpoints: readonly [Endpoint, ...Endpoint[]]
  /** Where all that is ours is, whatever the role or the database has for a search path. */
  readonly schema: string
  readonly pool: PoolConfig
}

/** Connections of one instance, unless the URL says otherwise by `pool`. */
const POOL_SIZE = 10
const LARGEST_POOL = 200

const LOOPBACK = /^(?:127(?:\.\d+){3}|\[?::1\]?|localhost)$/
/** Parameters that name files, and what the driver calls their content. */
const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' }
const KNOWN = ['sslmode', ...Object.keys(FILES), 'host', 'target_session_attrs', 'pool', 'application_name', 'schema']
const MOST_SERVERS = 5
const DEFAULT_PORT = 5432

// What is before the last @ of the authority is the user and the password.
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([/?#].*)?$/s

/**
 * `postgres://user:password@host:port/database?sslmode=...&pool=...`. Several servers are separated by commas:
 * `host:port,host:port`; the one that takes writes is found. Beyond this machine a server must prove who it is
 * (`verify-full`), unless the URL says otherwise.
 * @throws {StorageNotUsable} it is not a valid URL, or names a file that cannot be read
 */
export const connectionSettings = (text: string): ConnectionSettings => {
  const [, before = '', hosts, after = ''] = ADDRESS.exec(text) ?? []
  const urls = hosts?.split(',').map((host) => URL.parse(`${before}${host}${after}`) ?? unreadable())
  const [url, ...others] = urls ?? []
  if (url === undefined) return unreadable()
  const query = url.searchParams
  for (const name of query.keys())
    if (!KNOWN.includes(name)) throw wrong(`has the parameter '${name}', which is not one of ${KNOWN.join(', ')}`)
  if (others.length >= MOST_SERVERS) throw wrong(`names more than ${MOST_SERVERS} servers`)
  requireWritable(query.get('target_session_attrs'))
  const endpoints = [endpointOf(url), ...others.map(endpointOf)] as const
  const database = decoded(url.pathname.slice(1)) || undefined
  return {
    server: `${endpoints.map(nameOf).join(',')}${database ? `/${database}` : ''}`,
    endpoints,
    schema: schemaIn(query.getAll('schema')),
    pool: {
      ...(database === undefined ? {} : { database }),
      ...loginIn(url),
      ssl: encryption(query, endpoints),
      max: poolSize(query.get('pool')),
      application_name: query.get('application_name') ?? 'rollcall',
    },
  }
}

const loginIn = ({ username, password }: URL): Login => ({
  ...(username === '' ? {} : { user: decoded(username) }),
  ...(password === '' ? {} : { password: decoded(password) }),
})

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not even as a cause: the text may be a password.
    throw wrong('has a percent sign that encodes nothing. In the user, the password or the database write it as %25')
  }
}

/**
 * The login of the URL as it is whenever it is asked for, the same object until it is another. While there is no URL, such
 * as while its file is written, it is the last one.
 */
export const currentLogin = (first: string, read: () => string): (() => Login) => {
  let known = { text: first, login: asLogin(first) }
  return () => {
    try {
      const text = read()
      if (text !== known.text) known = { text, login: asLogin(text) }
    } catch {
      // What cannot be read, or is no URL, says nothing of the login.
    }
    return known.login
  }
}

const asLogin = (text: string): Login => {
  const [, before = '', host = ''] = ADDRESS.exec(text) ?? []
  return loginIn(URL.parse(`${before}${host.split(',')[0]}`) ?? unreadable())
}

/** A name as PostgreSQL has it without quotation marks, but for its own, which begin `pg_`. */
export const SCHEMA = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/

const schemaIn = ([schema = 'public', another]: readonly string[]): string => {
  if (another !== undefined)
    throw wrong('names the schema twice: leave it out of the URL, or unset ROLLCALL_DATABASE_SCHEMA')
  if (SCHEMA.test(schema)) return schema
  throw wrong(`has the schema '${schema}', which is not of lower-case letters, digits and underscores`)
}

const unreadable = (): never => {
  throw wrong('is not of the form postgres://user@host/db')
}

const endpointOf = (url: URL): Endpoint => ({
  host: url.searchParams.get('host') ?? decoded(url.hostname.replace(/^\[|\]$/g, '') || 'localhost'),
  port: url.port === '' ? DEFAULT_PORT : Number(url.port),
})

/** As it is called in messages. */
const nameOf = ({ host, port }: Endpoint): string => (host.startsWith('/') ? host : `${host}:${port}`)

// As others call what is always done here.
const requireWritable = (target: string | null): void => {
  if (target !== null && target !== 'read-write' && target !== 'primary')
    throw wrong(`has the target_session_attrs '${target}'. Use read-write, or leave it out`)
}

const wrong = (problem: string) => new StorageNotUsable('settings', `The URL of the PostgreSQL server ${problem}.`)

const poolSize = (text: string | null): number => {
  if (text === null) return POOL_SIZE
  const size = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (size < 3 || size > LARGEST_POOL) throw wrong(`has a 'pool' that is not a number from 3 to ${LARGEST_POOL}`)
  return size
}

const encryption = (query: URLSearchParams, endpoints: readonly Endpoint[]): PoolConfig['ssl'] => {
  const local = endpoints.every(({ host }) => host.startsWith('/') || LOOPBACK.test(host))
  const vouched = query.has('sslrootcert')
  const mode = query.get('sslmode') ?? (local && !vouched ? 'disable' : 'verify-full')
  const files = Object.fromEntries(Object.entries(FILES).map(([name, option]) => [option, contentOf(query, name)]))
  if (mode === 'disable') return false
  if (vouched && files.ca === '')
    throw wrong('has an sslrootcert that is an empty file. Name the file with the authority')
  if (mode === 'verify-full') return files
  // Without a name to compare, anyone with a certificate of a public authority would do.
  if (mode === 'verify-ca' && !vouched)
    throw wrong(
      'has sslmode=verify-ca without sslrootcert. Add sslrootcert=<file with the authority>, or use sslmode=verify-full',
    )
  // As everywhere else: an authority that is named is verified against.
  if (mode === 'verify-ca' || (mode === 'require' && vouched)) return { ...files, checkServerIdentity: () => undefined }
  if (mode === 'require' || mode === 'no-verify') return { ...files, rejectUnauthorized: false }
  // The others go on without a word if the server does not encrypt.
  throw wrong(`has the sslmode '${mode}'. Use verify-full, verify-ca, require or disable`)
}

const contentOf = (query: URLSearchParams, name: string): string | undefined => {
  const path = query.get(name)
  if (path === null) return undefined
  try {
    const rule = name === 'sslkey' ? { mounted: true } : ({ readable: true, strangers: 'warned' } as const)
    const stats = statSync(path)
    const access = stats.isFile() ? accessProblem(path, stats, rule) : undefined
    if (access?.refused)
      throw new StorageNotUsable('settings', `The file ${path} (${name}) ${access.problem}. ${access.remedy}`)
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (cause instanceof StorageNotUsable) throw cause
    const message = `The file ${path} (${name}) cannot be read. Fix its permissions or the name.`
    throw new StorageNotUsable('settings', message, { cause })
  }
}
