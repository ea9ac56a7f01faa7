import {
  EmailTaken,
  type Page,
  type User,
  type UserFilter,
  type UserId,
  type UserRepository,
  userTerms,
} from '@rollcall/core'
import {
  lastAdministratorContract,
  type StorageUnderTest,
  suspensionContract,
  unitOfWorkContract,
  userListContract,
  userStoreContract,
} from '@rollcall/core/contract'
import { describe } from 'vitest'
import { openPostgresStorage, type Sql, UniqueViolation } from '../../src/postgres/index.ts'
import { cleanDatabase, lookAt } from '../postgres-server/databases.ts'

const MEMBERS = `CREATE TABLE member (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text UNIQUE COLLATE "C",
  key text UNIQUE,
  searchable text,
  roles text[],
  record jsonb
)`

interface Row {
  readonly number: number
  readonly record: User
}

/** Users as a host may keep them: a document beside what it is found by. */
class MemberRepository implements UserRepository {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async find(id: UserId): Promise<User | undefined> {
    return (await this.#sql.all<Row>('SELECT number, record FROM member WHERE id = $1', id))[0]?.record
  }

  async list({ after, limit, words = [], role, suspended, downwards = false }: UserFilter): Promise<Page<User>> {
    const rows = await this.#sql.all<Row>(
      `SELECT number, record FROM member WHERE number ${downwards ? '<' : '>'} $1
        AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements_text($2::jsonb) AS word WHERE strpos(searchable, word) = 0)
        AND ($3::text IS NULL OR $3 = ANY (roles))
        AND ($5::boolean IS NULL OR $5 = (record -> 'suspendedAt' IS NOT NULL)) ORDER BY number ${downwards ? 'DESC' : 'ASC'} LIMIT $4`,
      ...[
        after,
        JSON.stringify(words.map((word) => `"${word}`)),
        role ?? null,
        limit + 1,
        suspended === undefined ? null : String(suspended),
      ],
    )
    const shown = rows.slice(0, limit)
    return { items: shown.map(({ record }) => record), next: rows.length > limit ? shown.at(-1)?.number : undefined }
  }

  async countWithRole(role: string): Promise<number> {
    const rows = await this.#sql.all<{ count: number }>(
      'SELECT count(*) AS count FROM member WHERE $1 = ANY (roles)',
      role,
    )
    return rows[0]?.count ?? 0
  }

  async put(user: User): Promise<void> {
    const values = [user.id, user.emailKey, JSON.stringify(userTerms(user))]
    try {
      await this.#sql.run(
        `INSERT INTO member (id, key, searchable, record, roles)
          VALUES ($1, $2, $3, $4::jsonb, ARRAY (SELECT jsonb_array_elements_text($4::jsonb -> 'roles')))
          ON CONFLICT (id) DO UPDATE SET (key, searchable, record, roles)
            = (excluded.key, excluded.searchable, excluded.record, excluded.roles)`,
        ...[...values, JSON.stringify(user)],
      )
    } catch (error) {
      throw error instanceof UniqueViolation ? new EmailTaken({ cause: error }) : error
    }
  }

  async erase(id: UserId): Promise<void> {
    await this.#sql.run('DELETE FROM member WHERE id = $1', id)
  }
}

const openOn = async (url: string, remove: () => Promise<void>): Promise<StorageUnderTest> => {
  const { unitOfWork, readers, close } = await openPostgresStorage({ url, users: (sql) => new MemberRepository(sql) })
  return {
    unitOfWork,
    readers,
    openAnother: () => openOn(url, async () => undefined),
    dispose: async () => {
      await close()
      await remove()
    },
  }
}

const open = async (): Promise<StorageUnderTest> => {
  const { url, drop } = await cleanDatabase()
  await lookAt(url, (client) => client.query(`DROP TABLE IF EXISTS member; ${MEMBERS}`))
  return await openOn(url, drop)
}

describe("a host's own users on PostgreSQL", () => {
  userStoreContract(open)
  userListContract(open)
  unitOfWorkContract(open)
  lastAdministratorContract(open)
  suspensionContract(open)
})
