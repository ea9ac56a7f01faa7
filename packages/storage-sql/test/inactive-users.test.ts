import { expect, it } from 'vitest'
import { userReader } from '../src/tables/users.ts'
import { lookAt, newDatabase } from './temporary-storage.ts'

it('lists inactive users by an index, without sorting them', async () => {
  const { text } = userReader('sqlite').listInactive ?? {}
  const filter = { after: 0, limit: 50, before: 1 }
  lookAt(await newDatabase(), (database) => {
    for (const given of [filter, { ...filter, suspended: true }, { ...filter, role: 'admin' }]) {
      const query = `EXPLAIN QUERY PLAN ${typeof text === 'function' ? text(given) : text}`
      const plan = database.prepare<unknown[], { detail: string }>(query).all()
      expect(plan[0]?.detail).toMatch(/^SEARCH user_account USING INDEX user_account_inactive \(<expr>>\? AND/)
      expect(plan.map(({ detail }) => detail).join()).not.toContain('TEMP B-TREE')
    }
  })
})
