import { createHash, randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { type Connection, pluck } from '../connection.ts'

/** Beside the tables of the database, in a backup alone: the digest of the file's bytes, but for its own. */
const TABLE = 'backup_digest'
const MAKE = `CREATE TABLE ${TABLE} (algorithm TEXT PRIMARY KEY, digest TEXT NOT NULL) STRICT, WITHOUT ROWID`
const ALGORITHM = 'sha256'
const LENGTH = 64
const CHUNK = 1024 * 1024

export const DIGEST_TABLE = { [TABLE]: MAKE } as const

/** `none`: the file has no digest. `damaged`: some byte is not as it was written. */
export type DigestCheck = 'damaged' | 'none' | 'same'

/** Where the digest stands in the file: on this page, as this text. */
interface DigestPlace {
  readonly text: string
  readonly page: number
  readonly pageSize: number
}

const hasDigest = (connection: Connection): boolean =>
  pluck(connection, 'SELECT 1 FROM sqlite_schema WHERE name = ?', TABLE).length > 0

/** Makes room for the digest; to be called after everything else was written. */
export const reserveDigest = (connection: Connection): DigestPlace => {
  const text = randomBytes(LENGTH / 2).toString('hex')
  connection.exec(`DROP TABLE IF EXISTS ${TABLE}`)
  connection.exec(MAKE)
  connection.prepare(`INSERT INTO ${TABLE} (algorithm, digest) VALUES (?, ?)`).run(ALGORITHM, text)
  return placeWith(connection, text)
}

export const dropDigest = (connection: Connection): void => {
  connection.exec(`DROP TABLE IF EXISTS ${TABLE}`)
}

const placeWith = (connection: Connection, text: string): DigestPlace => ({
  text,
  page: pluck<number>(connection, 'SELECT rootpage FROM sqlite_schema WHERE name = ?', TABLE)[0] ?? 0,
  pageSize: connection.pragma('page_size') as number,
})

/** Writes the digest into the file, which no connection has open any more. */
export const writeDigest = (file: string, place: DigestPlace): void => {
  const handle = openSync(file, 'r+')
  try {
    const at = positionOf(handle, place)
    if (at === undefined) throw new Error('The place of the digest was not found in the backup.')
    writeSync(handle, digestOf(handle, at), at)
  } finally {
    closeSync(handle)
  }
}

/** Compares the bytes of the file with the digest in it; `connection` reads the file and has written nothing to it. */
export const checkDigest = (file: string, connection: Connection): DigestCheck => {
  if (!hasDigest(connection)) return 'none'
  const [text] = pluck<unknown>(connection, `SELECT digest FROM ${TABLE} WHERE algorithm = ?`, ALGORITHM)
  if (typeof text !== 'string' || text.length !== LENGTH) return 'damaged'
  const handle = openSync(file, 'r')
  try {
    const at = positionOf(handle, placeWith(connection, text))
    return at !== undefined && digestOf(handle, at) === text ? 'same' : 'damaged'
  } finally {
    closeSync(handle)
  }
}

const positionOf = (handle: number, { text, page, pageSize }: DigestPlace): number | undefined => {
  const start = (page - 1) * pageSize
  if (start < 0) return undefined
  const bytes = Buffer.alloc(pageSize)
  readSync(handle, bytes, 0, pageSize, start)
  const found = bytes.indexOf(text, 0, 'latin1')
  return found < 0 ? undefined : start + found
}

/** In memory that does not grow with the file. */
const digestOf = (handle: number, at: number): string => {
  const hash = createHash(ALGORITHM)
  const { size } = fstatSync(handle)
  const chunk = Buffer.alloc(CHUNK)
  for (let start = 0; start < size; ) {
    const length = readSync(handle, chunk, 0, CHUNK, start)
    if (length === 0) break
    const [from, to] = [Math.max(at - start, 0), Math.min(at + LENGTH - start, length)]
    if (from < to) chunk.fill('0', from, to)
    hash.update(chunk.subarray(0, length))
    start += length
  }
  return hash.digest('hex')
}
