import { cp } from 'node:fs/promises'
import path from 'node:path'
import { Connection } from '../../packages/storage-sql/src/sqlite/driver.ts'
import { type BenchCase, outside, tooFew } from '../cases/bench-case.ts'
import type { Cores } from '../command.ts'
import type { Options } from '../options.ts'
import { databaseIn, issueToken, makeTemplate, rollcall } from '../rollcall/rollcall.ts'
import { countRows } from '../rows.ts'
import { deletions } from '../traffic.ts'

interface Order {
  readonly options: Options
  readonly scratch: string
  readonly cores: Cores
}

/** Deletions, refused and done, among few other users and among many. */
export const userGrowthCases = (order: Order): readonly BenchCase[] => {
  const few = usersBeside(order, 'small', 0)
  const many = usersBeside(order, 'large', order.options.rows)
  return [few.refused, many.refused, few.done, many.done]
}

const usersBeside = ({ options, scratch, cores }: Order, size: 'small' | 'large', others: number) => {
  const { users } = options
  const all = (users + others).toLocaleString('en-US')
  const template = path.join(scratch, `users-${size}`)
  let made: Promise<string> | undefined
  const make = async (): Promise<string> => {
    const token = await makeTemplate(template, { subject: 'bench-admin', roles: ['admin'], users }, cores)
    if (others > 0) addUsers(databaseIn(template), others)
    return token
  }
  const prepare = async (): Promise<string> => {
    made ??= make()
    return await made
  }
  const begin = async (folder: string) => {
    await prepare()
    await cp(template, folder, { recursive: true })
    return await rollcall(folder, {})
  }
  const refused: BenchCase = {
    name: `growth-users-403-${size}`,
    title: `DELETE 403, Rollcall, ${all} users`,
    status: 403,
    prepare: async () => {
      await prepare()
    },
    run: async (folder) => {
      const server = await begin(folder)
      const token = await issueToken(folder, 'bench-reader')
      return { server, traffic: deletions({ Authorization: `Bearer ${token}` }), end: 'SIGTERM' }
    },
  }
  const done: BenchCase = {
    name: `growth-users-204-${size}`,
    title: `DELETE 204, Rollcall, ${all} users`,
    status: 204,
    prepare: refused.prepare,
    run: async (folder) => {
      const server = await begin(folder)
      const count = (query: string): number => countRows(databaseIn(folder), query)
      return {
        server,
        traffic: deletions({ Authorization: `Bearer ${await prepare()}` }),
        end: 'SIGKILL',
        disagreements: async (counts) => [
          ...tooFew(users, counts),
          ...outside('tombstones', count('SELECT count(*) FROM identity WHERE deleted_at IS NOT NULL'), counts),
        ],
      }
    },
  }
  return { refused, done }
}

/**
 * Users beside those that are deleted, straight into the database: over HTTP a million would take minutes. Their ids
 * and addresses come in no order, like those of the others.
 */
const addUsers = (file: string, count: number): void => {
  const database = new Connection(file)
  try {
    database.pragma('synchronous = OFF')
    database
      .prepare<[number]>(
        `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?),
           named(word) AS (SELECT 'grown.' || printf('%09d', n * 7368787 % 1000000000) FROM number)
         INSERT INTO user_account (id, email, email_key, name, roles, terms, created_at, updated_at)
         SELECT word, word || '@example.com', word || '@example.com', 'Brian Smith', '["auditor"]',
           '["' || word || '@example.com","brian","example.com","smith"]', 1767225600000, 1767225600000 FROM named`,
      )
      .run(count)
    database.exec("INSERT OR IGNORE INTO user_role SELECT 'auditor', seq FROM user_account WHERE id LIKE 'grown.%'")
    database.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}
