import { setImmediate as nextTurn } from 'node:timers/promises'
import type { User, UserId } from '@rollcall/core'
import { expect, it } from 'vitest'
import { aTombstone } from './a-tombstone.ts'
import { lookAt, newDatabase, openStorage } from './temporary-storage.ts'

const aUser = (n: number, changes: Partial<User> = {}): User => ({
  id: `u${n}` as UserId,
  email: `u${n}@example.com`,
  emailKey: `u${n}@example.com`,
  name: '',
  roles: ['auditor'],
  createdAt: 1,
  updatedAt: 1,
  ...changes,
})

it('finds by text among more users than one look takes, wherever they are, and lets others have their turn', async () => {
  const file = await newDatabase()
  const { unitOfWork, readers } = await openStorage(file)
  const wanted = [1, 3_999, 4_000, 4_001, 8_500, 12_000]
  for (let first = 1; first <= 12_000; first += 500)
    await unitOfWork.run(async ({ users }) => {
      for (let n = first; n < first + 500; n++) await users.put(aUser(n, wanted.includes(n) ? { name: 'Wanted' } : {}))
    })
  await unitOfWork.run(async ({ users }) => {
    for (let n = 4_100; n < 8_400; n++) await users.erase(`u${n}` as UserId)
  })
  let turns = 0
  let over = false
  const count = (): void => {
    turns++
    if (!over) setImmediate(count)
  }
  setImmediate(count)
  const found: string[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await readers.users.list({ after, limit: 2, query: 'wANTED' })
    found.push(...page.items.map(({ id }) => id))
    after = page.next
  }
  over = true
  expect(found).toEqual(wanted.map((n) => `u${n}`))
  expect(turns).toBeGreaterThan(1)
  expect((await readers.users.list({ after: 0, limit: 6, query: 'wanted' })).next).toBeUndefined()
})

it('knows a changed account status at once, in this process or another', async () => {
  const file = await newDatabase()
  const { unitOfWork, readers } = await openStorage(file)
  const accountStatus = () => readers.users.accountStatus('u1')
  expect(await accountStatus()).toBeUndefined()
  await unitOfWork.run(({ users }) => users.put(aUser(1)))
  for (let again = 0; again < 3; again++) expect(await accountStatus()).toEqual({ roles: ['auditor'] })
  lookAt(file, (database) => database.exec(`UPDATE user_account SET roles = '["admin"]'`))
  await nextTurn()
  expect(await accountStatus()).toEqual({ roles: ['admin'] })
  await unitOfWork.run(({ tombstones }) => tombstones.put('u1' as UserId, aTombstone))
  expect(await accountStatus()).toBe('deleted')
})
