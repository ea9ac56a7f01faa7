import { expect, it } from 'vitest'
import type { AddressMove, MovedSubscription } from '../src/index.ts'
import { hashOf, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const EPISODE = '0123456789abcdef'

const aMove = (id: number, other: Partial<AddressMove> = {}): AddressMove => ({
  id,
  address: hashOf('a'),
  newAddress: hashOf('b'),
  email: 'New@bücher.example',
  addressKey: 'new@b',
  episode: EPISODE,
  requestedAt: 5,
  movedAt: undefined,
  undoneAt: undefined,
  expiresAt: 9,
  mail: 7,
  ...other,
})

const aLink = (oldId: number, newId: number, other: Partial<MovedSubscription> = {}): MovedSubscription => ({
  oldId,
  newId,
  episode: EPISODE,
  newEpisode: undefined,
  move: undefined,
  ...other,
})

export const moveStoreContract = storageSuite('a store of changes of address', (storage) => {
  const { run, alike, undone, stores } = storage
  const find = (id: number) => alike(({ moves }) => moves.find(id))
  const over = async (now: number, limit = 10) => (await stores.moves.over(now, limit)).map(({ id }) => id)
  const touches = (id: number) => run(({ moves }) => moves.touches(id))

  it('finds nothing where there is nothing', async () => {
    expect(await find(1)).toBeUndefined()
    expect(await alike(({ moves }) => moves.ofAddress(hashOf('a')))).toBeUndefined()
    expect(await alike(({ moves }) => moves.toAddress(hashOf('b')))).toBeUndefined()
    expect(await alike(({ moves }) => moves.askedOf(hashOf('b'), 10))).toEqual([])
    expect(await alike(({ moves }) => moves.movedFrom([1, 2]))).toEqual([])
    expect(await alike(({ moves }) => moves.movedTo(1))).toEqual([])
    expect(await alike(({ moves }) => moves.ofMove(1))).toEqual([])
    expect([await over(Number.MAX_SAFE_INTEGER), await touches(1)]).toEqual([[], false])
  })

  it('gives back a move as it was put, by its id and by its old address, and replaces it whole', async () => {
    await stores.moves.put(aMove(1))
    expect(await find(1)).toEqual(aMove(1))
    expect(await alike(({ moves }) => moves.ofAddress(hashOf('a')))).toEqual(aMove(1))
    const done = aMove(1, { email: undefined, addressKey: undefined, movedAt: 6, expiresAt: 99, mail: undefined })
    await stores.moves.put(done)
    expect(await find(1)).toEqual(done)
    await stores.moves.remove(1)
    expect(await find(1)).toBeUndefined()
    await stores.moves.remove(1)
  })

  it('finds by its new address the last one that was carried out and not undone', async () => {
    const to = () => alike(({ moves }) => moves.toAddress(hashOf('b')))
    await stores.moves.put(aMove(1))
    expect(await to()).toBeUndefined()
    await stores.moves.put(aMove(2, { address: hashOf('c'), movedAt: 6, expiresAt: 50 }))
    await stores.moves.put(aMove(3, { address: hashOf('d'), movedAt: 6, expiresAt: 60 }))
    await stores.moves.put(aMove(4, { address: hashOf('e'), movedAt: 6, undoneAt: 7, expiresAt: 70 }))
    expect((await to())?.id).toBe(3)
  })

  it('lists by their new address those that were not carried out, soonest over first, so many at a time', async () => {
    for (const [id, address, other] of [
      [1, 'a', { expiresAt: 30 }],
      [2, 'c', { expiresAt: 20 }],
      [3, 'd', { expiresAt: 10, movedAt: 6 }],
      [4, 'e', { expiresAt: 10, newAddress: hashOf('z') }],
    ] as const)
      await stores.moves.put(aMove(id, { address: hashOf(address), ...other }))
    const asked = (limit: number) => alike(({ moves }) => moves.askedOf(hashOf('b'), limit))
    expect((await asked(10)).map(({ id }) => id)).toEqual([2, 1])
    expect(await asked(1)).toEqual([aMove(2, { address: hashOf('c'), expiresAt: 20 })])
  })

  it('lists those that are over, soonest first, so many at a time', async () => {
    for (const [id, address, expiresAt] of [
      [1, 'a', 30],
      [2, 'b', 10],
      [3, 'c', 20],
    ] as const)
      await stores.moves.put(aMove(id, { address: hashOf(address), expiresAt }))
    expect(await over(20)).toEqual([2, 3])
    expect(await over(30, 2)).toEqual([2, 3])
    expect(await over(9)).toEqual([])
  })

  it('says what became of subscriptions, one by one and many at once, and what made them', async () => {
    const [first, second, third] = [
      aLink(1, 11, { newEpisode: 'fedcba9876543210', move: 1 }),
      aLink(2, 12, { move: 1 }),
      aLink(3, 11),
    ]
    for (const one of [third, first, second]) await stores.moves.link(one)
    expect(await alike(({ moves }) => moves.movedFrom([1]))).toEqual([first])
    expect(await alike(({ moves }) => moves.movedFrom([9, 3, 1]))).toEqual([first, third])
    expect(await alike(({ moves }) => moves.movedFrom(upTo(2_000)))).toEqual([first, second, third])
    expect(await alike(({ moves }) => moves.movedTo(11))).toEqual([first, third])
    expect(await alike(({ moves }) => moves.ofMove(1))).toEqual([first, second])
    await stores.moves.link(aLink(1, 13))
    expect(await alike(({ moves }) => moves.movedFrom([1]))).toEqual([aLink(1, 13)])
    expect(await alike(({ moves }) => moves.ofMove(1))).toEqual([second])
    await stores.moves.unlink(1)
    expect(await alike(({ moves }) => moves.movedFrom([1]))).toEqual([])
  })

  it('knows whether it names a subscription in any place', async () => {
    await stores.moves.put(aMove(1))
    await stores.moves.link(aLink(2, 3))
    expect([await touches(1), await touches(2), await touches(3), await touches(4)]).toEqual([true, true, true, false])
  })

  it('keeps nothing of a unit that throws', async () => {
    await undone(({ moves }) => moves.put(aMove(1)))
    await undone(({ moves }) => moves.link(aLink(1, 2)))
    expect([await find(1), await touches(1)]).toEqual([undefined, false])
  })
})
