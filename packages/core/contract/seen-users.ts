import { expect, it } from 'vitest'
import { DAY, type InactiveFilter, type Stretch, type User } from '../src/index.ts'
import { aUser, stretchesOf, upTo, userId } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const MIDNIGHT = Date.UTC(2026, 0, 31)
const dayOf = (n: number): number => MIDNIGHT + n * DAY

/** When users were last seen, of a storage that keeps its users itself. */
export const seenUsersContract = storageSuite('the days on which users were seen', (storage) => {
  const { run, runEach, alike, stores, readers } = storage
  const put = (...all: User[]) => runEach(all, ({ users }, user) => users.put(user))
  const seen = (id: string, day: number) => stores.users.noteSeen(userId(id), day)
  const find = (id: string) => alike(({ users }) => users.find(userId(id)))
  const inactive = async (filter: Partial<InactiveFilter> = {}) => {
    const { users } = readers
    if (users.listInactive === undefined) throw new Error('A storage lists the inactive ones.')
    return await users.listInactive({ after: 0, limit: 200, before: dayOf(0), ...filter })
  }
  const inactiveIds = async (filter?: Partial<InactiveFilter>) => (await inactive(filter)).items.map(({ id }) => id)

  it('are no change of anything else, and the latest stays', async () => {
    const ada = aUser('ada', { roles: ['admin'], suspendedAt: 5, tokensNotBefore: 6 })
    await put(ada, aUser('bob'))
    expect(await find('ada')).toEqual(ada)
    for (const [noted, kept] of [
      [2, 2],
      [1, 2],
      [2, 2],
      [3, 3],
    ] as const) {
      await seen('ada', dayOf(noted))
      expect(await find('ada')).toEqual({ ...ada, lastSeenAt: dayOf(kept) })
    }
    expect(await find('bob')).toEqual(aUser('bob'))
    expect(await stores.users.countWithRole('admin')).toBe(0)
  })

  it('are kept by a change of the user, and gone with it', async () => {
    await put(aUser('ada'))
    await seen('ada', dayOf(1))
    await run(async ({ users }) => {
      const user = await users.find(userId('ada'))
      if (user) await users.put({ ...user, name: 'Ada' })
    })
    expect(await find('ada')).toEqual(aUser('ada', { name: 'Ada', lastSeenAt: dayOf(1) }))
    await stores.users.erase(userId('ada'))
    await seen('ada', dayOf(2))
    await put(aUser('ada'))
    expect(await find('ada')).toEqual(aUser('ada'))
  })

  it('tell who was neither seen nor created since, the longest inactive first', async () => {
    await put(
      aUser('new', { createdAt: dayOf(0) }),
      aUser('never', { createdAt: dayOf(0) - 1 }),
      aUser('long', { createdAt: dayOf(-90) + 5 }),
      aUser('seen', { createdAt: dayOf(-90) }),
      aUser('back', { createdAt: dayOf(-90) }),
    )
    await seen('seen', dayOf(-30))
    await seen('back', dayOf(0))
    expect(await inactiveIds()).toEqual(['long', 'seen', 'never'])
    expect(await inactiveIds({ before: dayOf(1) })).toEqual(['long', 'seen', 'never', 'new', 'back'])
    expect(await inactiveIds({ before: dayOf(-30) })).toEqual(['long'])
    expect(await inactiveIds({ before: 0 })).toEqual([])
    await seen('long', dayOf(-1))
    expect((await inactive()).items).toEqual([
      aUser('seen', { createdAt: dayOf(-90), lastSeenAt: dayOf(-30) }),
      aUser('never', { createdAt: dayOf(0) - 1 }),
      aUser('long', { createdAt: dayOf(-90) + 5, lastSeenAt: dayOf(-1) }),
    ])
  })

  it('tell it stretch by stretch, of those with a role, and of those that are suspended or not', async () => {
    const users = upTo(30).map((n) =>
      aUser(`u${n}`, {
        createdAt: dayOf(-1 - (n % 3)),
        roles: n % 2 ? ['auditor'] : ['admin', 'sender'],
        ...(n % 5 === 0 && { suspendedAt: 5 }),
      }),
    )
    await put(...users)
    // As long inactive as each other: by their places in the list of all.
    const expected = [2, 1, 0].flatMap((day) => users.filter((_, place) => (place + 1) % 3 === day)).map(({ id }) => id)
    expect(await inactiveIds()).toEqual(expected)
    const list = (stretch: Stretch) => inactive(stretch)
    for (const limit of [1, 7, 10, 30]) {
      const stretches = await stretchesOf(list, limit)
      expect(stretches.flat().map(({ id }) => id)).toEqual(expected)
      expect(stretches.every(({ length }) => length <= limit && length > 0)).toBe(true)
    }
    const backwards = await stretchesOf(({ after, limit }) => {
      return inactive({ after: after || Number.MAX_SAFE_INTEGER, limit, downwards: true })
    }, 7)
    expect(backwards.flat().map(({ id }) => id)).toEqual(expected.toReversed())
    const number = (id: string) => Number(id.slice(1))
    expect(await inactiveIds({ role: 'sender' })).toEqual(expected.filter((id) => number(id) % 2 === 0))
    expect(await inactiveIds({ suspended: true })).toEqual(expected.filter((id) => number(id) % 5 === 0))
    expect(await inactiveIds({ suspended: false, role: 'auditor' })).toEqual(
      expected.filter((id) => number(id) % 5 !== 0 && number(id) % 2 === 1),
    )
  })
})
