import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Page, User, UserId } from '@rollcall/core'
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

it('finds by words that most users have one of, wherever they are, and lets others have their turn', async () => {
  const file = await newDatabase()
  const { unitOfWork, readers } = await openStorage(file)
  const wanted = [1, 3_999, 4_000, 4_001, 8_500, 8_501, 24_800]
  for (let first = 1; first <= 24_800; first += 400)
    await unitOfWork.run(async ({ users }) => {
      for (let n = first; n < first + 400; n++)
        await users.put(aUser(n, { name: wanted.includes(n) ? 'Ada Bo' : n % 2 ? 'Ada' : 'Bo' }))
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
  const pages = async (downwards: boolean, limit: number) => {
    const found: string[][] = []
    for (let after: number | undefined = downwards ? Number.MAX_SAFE_INTEGER : 0; after !== undefined; ) {
      const filter = { words: ['ada', 'bo'] }
      const page: Page<User> = await readers.users.list({ ...filter, after, limit, downwards })
      found.push(page.items.map(({ id }) => id))
      after = page.next
    }
    return found
  }
  const ids = wanted.map((n) => `u${n}`)
  for (const limit of [1, 2, 3, 7, 50])
    for (const [downwards, expected] of [[false, ids] as const, [true, ids.toReversed()] as const]) {
      const found = await pages(downwards, limit)
      expect(found.flat()).toEqual(expected)
      expect(found.length).toBeGreaterThanOrEqual(Math.ceil(ids.length / limit))
    }
  over = true
  expect(turns).toBeGreaterThan(10)
})

it('knows a changed account status at once, in this process or another', async () => {
  const file = await newDatabase()
  const { unitOfWork, readers } = await openStorage(file)
  const accountStatus = () => readers.users.accountStatus('u1')
  expect(await accountStatus()).toBeUndefined()
  await unitOfWork.run(({ users }) => users.put(aUser(1)))
  for (let again = 0; again < 3; again++) expect(await accountStatus()).toMatchObject({ roles: ['auditor'] })
  lookAt(file, (database) => database.exec(`UPDATE user_account SET roles = '["admin"]'`))
  await nextTurn()
  expect(await accountStatus()).toMatchObject({ roles: ['admin'] })
  await unitOfWork.run(({ tombstones }) => tombstones.put('u1' as UserId, aTombstone))
  expect(await accountStatus()).toBe('deleted')
})
