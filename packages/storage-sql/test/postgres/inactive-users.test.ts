import { DAY, inactivePlace } from '@rollcall/core'
import { expect, it } from 'vitest'
import { inPostgres } from '../../src/postgres/stores/run-methods.ts'
import { userReader } from '../../src/tables/users.ts'
import { openStorage, temporaryDatabase } from './temporary-storage.ts'

const MANY = 20_000

it('lists inactive users by an index, without sorting them, be they few or nearly all', async () => {
  const { client } = await openStorage(await temporaryDatabase())
  await client.query({
    text: `INSERT INTO user_account (id, email, email_key, name, roles, terms, created_at, updated_at)
      SELECT n, n, n, '', '[]', '[]', n::bigint * ${DAY / 100}, 0 FROM generate_series(1, ${MANY}) AS n`,
  })
  await client.query({ text: 'VACUUM ANALYZE user_account' })
  const { text } = userReader('postgres').listInactive ?? {}
  for (const days of [3, 190]) {
    const filter = { after: 0, limit: 50, before: days * DAY }
    const query = inPostgres(typeof text === 'function' ? text(filter) : '')
    const values = [filter.after, inactivePlace({ createdAt: filter.before }, 0), filter.limit]
    const bound = query.replace(/\$(\d)/g, (_, n) => `${values[Number(n) - 1]}::bigint`)
    const { rows } = await client.query({ text: `EXPLAIN ${bound}` })
    const plan = rows.map((row) => Object.values(row)[0]).join('\n')
    expect(plan).toContain('Index Scan using user_account_inactive')
    expect(plan).not.toContain('Sort')
  }
})
