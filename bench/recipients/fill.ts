import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { createNodeDigests } from '../../packages/app/src/platform/node-digests.ts'
import { addressHash } from '../../packages/core/src/subscriptions/email-address.ts'
import { Connection } from '../../packages/storage-sql/src/sqlite/driver.ts'

/** A database that is filled by statements: an import of so many rows would take minutes. */
export interface Filling {
  readonly rows: number
  /** Whose secret the hashes are made with. */
  readonly folder: string
}

/** One of so many recipients is blocked, and another one undeliverable. */
const ONE_OF = 10

export const stoppedOf = (rows: number): number => 2 * Math.floor(rows / ONE_OF)

// Ids are spread over 53 bits as those of the service are: 48 bits of a product with an odd number, all different.
const rowsOf = (numbers: string, text: (number: string) => string): string => `
  INSERT INTO subscription (id, feed, email, address_key, address, name, terms, status, episode, created_at, confirmed_at)
    SELECT n * 25214903917 % 281474976710656 + 1, 'default', ${text('n')}, ${text('n')}, ${text('n')},
      'Brian Smith', '["' || ${text('n')} || '","brian","example.com","smith"]', 'c', '0123456789abcdef', 1767322985678, 1767323045678 + n * 977 FROM ${numbers}`

const emailOf = (number: number): string => `reader.${String(number).padStart(9, '0')}@example.com`

/** The hashes of every tenth, counted from `first`, as one JSON array. */
const hashesOf = ({ rows, folder }: Filling, first: number): string => {
  const digests = createNodeDigests(readFileSync(path.join(folder, 'data/secret'), 'utf8').trim())
  const count = Math.floor(rows / ONE_OF)
  return JSON.stringify(Array.from({ length: count }, (_, n) => addressHash(digests, emailOf(first + n * ONE_OF))))
}

const blocks = (hashes: string): string => `
  INSERT INTO suppression (address, cause, since, block, block_since)
    SELECT value, 'complaint', 1, 'complaint', 1 FROM ${hashes}`

const undeliverables = (hashes: string): string => `
  INSERT INTO deliverability (address, state, since, status, days, expires_at)
    SELECT value, 'undeliverable', 1, '5.1.1', '[]', 9007199254740991 FROM ${hashes}`

export interface Fill {
  recipients(filling: Filling): Promise<void>
  /** Blocks a tenth of them, and makes another tenth undeliverable. */
  stops(filling: Filling): Promise<void>
}

export const fillSqlite = (file: string): Fill => {
  const run = async (...statements: readonly (readonly [text: string, value: string | number])[]): Promise<void> => {
    const database = new Connection(file)
    try {
      for (const [text, value] of statements) database.prepare(text).run(value)
    } finally {
      database.close()
    }
  }
  const numbers = `(WITH RECURSIVE number (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < ?)
    SELECT n FROM number)`
  return {
    recipients: ({ rows }) => run([rowsOf(numbers, (n) => `printf('reader.%09d@example.com', ${n})`), rows]),
    stops: (filling) =>
      run([blocks('json_each(?)'), hashesOf(filling, 1)], [undeliverables('json_each(?)'), hashesOf(filling, 2)]),
  }
}

export const fillPostgres = (url: string): Fill => {
  const run = async (...statements: readonly (readonly [text: string, value: string | number])[]): Promise<void> => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      for (const [text, value] of statements) await client.query(text, [value])
      await client.query('ANALYZE')
    } finally {
      await client.end()
    }
  }
  const hashes = 'jsonb_array_elements_text($1::jsonb) AS hash (value)'
  return {
    recipients: ({ rows }) =>
      run([
        rowsOf('generate_series(1, $1::bigint) AS n', (n) => `'reader.' || lpad(${n}::text, 9, '0') || '@example.com'`),
        rows,
      ]),
    stops: (filling) => run([blocks(hashes), hashesOf(filling, 1)], [undeliverables(hashes), hashesOf(filling, 2)]),
  }
}
