import { expect, it } from 'vitest'
import type { SignUpGroupMember, Subscription } from '../src/index.ts'
import { aSubscription, begin } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const GROUP = '0123456789abcdef'
const OTHER = 'fedcba9876543210'

export const signUpGroupStoreContract = storageSuite('a store of sign-up groups', (storage) => {
  const { run, alike, undone, stores } = storage
  const membersOf = (...groups: string[]) => alike(({ signUpGroups }) => signUpGroups.membersOf(groups))
  const members = async (group: string) => (await membersOf(group)).get(group) ?? []
  const put = (...all: Subscription[]) => run((stores) => begin(stores, ...all))
  const member = (id: number, episode: string | undefined = `${id}`.repeat(16)): SignUpGroupMember => ({ id, episode })

  it('finds nothing where there is no such group', async () => {
    expect(await members(GROUP)).toEqual([])
  })

  it('gives back the members in the order in which they were added, each with its episode or without', async () => {
    await put(aSubscription(1), aSubscription(2), aSubscription(3))
    const added = [member(3), { id: 1, episode: undefined }, member(2)]
    await stores.signUpGroups.add(GROUP, added, 5)
    expect(await members(GROUP)).toEqual(added)
    expect(await members(OTHER)).toEqual([])
  })

  it('gives back the members of many groups at once, without groups that have none', async () => {
    await put(aSubscription(1), aSubscription(2), aSubscription(3))
    await stores.signUpGroups.add(GROUP, [member(3), member(1)], 5)
    await stores.signUpGroups.add(OTHER, [{ id: 2, episode: undefined }], 5)
    expect(await membersOf()).toEqual(new Map())
    expect(await membersOf(OTHER, 'ff', GROUP)).toEqual(
      new Map([
        [GROUP, [member(3), member(1)]],
        [OTHER, [{ id: 2, episode: undefined }]],
      ]),
    )
  })

  it('takes members that began in the same unit, and those that were stored before', async () => {
    await put(aSubscription(1))
    await run(async (stores) => {
      await begin(stores, aSubscription(2))
      await stores.subscriptions.put(aSubscription(1, { name: 'changed' }))
      await stores.signUpGroups.add(GROUP, [member(2), member(1)], 5)
      expect(await stores.signUpGroups.membersOf([GROUP])).toEqual(new Map([[GROUP, [member(2), member(1)]]]))
    })
    expect(await members(GROUP)).toEqual([member(2), member(1)])
  })

  it('has a subscription in several groups, and forgets it in all of them when it is erased', async () => {
    await put(aSubscription(1), aSubscription(2))
    await stores.signUpGroups.add(GROUP, [member(1), member(2)], 5)
    await stores.signUpGroups.add(OTHER, [member(2)], 5)
    await stores.subscriptions.erase(2)
    expect(await members(GROUP)).toEqual([member(1)])
    expect(await members(OTHER)).toEqual([])
    await put(aSubscription(2))
    expect(await members(GROUP)).toEqual([member(1)])
  })

  it('keeps none of a unit that throws, and none of a subscription that is not stored', async () => {
    await put(aSubscription(1))
    await undone(({ signUpGroups }) => signUpGroups.add(GROUP, [member(1)], 5))
    expect(await members(GROUP)).toEqual([])
    await expect(stores.signUpGroups.add(GROUP, [member(1), member(9)], 5)).rejects.toThrow()
    expect(await members(GROUP)).toEqual([])
  })

  it('prunes what has expired, so many at a time, and nothing else', async () => {
    await put(aSubscription(1), aSubscription(2))
    await stores.signUpGroups.add(GROUP, [member(1), member(2)], 5)
    await stores.signUpGroups.add(OTHER, [member(1), member(2)], 7)
    expect(await stores.signUpGroups.prune(5, 10)).toBe(0)
    expect(await stores.signUpGroups.prune(6, 1)).toBe(1)
    expect(await stores.signUpGroups.prune(6, 10)).toBe(1)
    expect(await members(GROUP)).toEqual([])
    expect(await members(OTHER)).toEqual([member(1), member(2)])
    expect(await stores.signUpGroups.prune(8, 10)).toBe(2)
  })
})
