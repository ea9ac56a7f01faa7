import { expect, it } from 'vitest'
import type { PendingMail } from '../src/index.ts'
import { aMail, hashOf, stretchesOf, toPark, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const UNTRIED = { attempts: 0, lastError: undefined, parkedAt: undefined }
const LARGEST_ID = Number.MAX_SAFE_INTEGER

export const outboxStoreContract = storageSuite('an outbox store', (storage) => {
  const { runEach, alike, readers } = storage
  const { outbox } = storage.stores
  const add = (messageId: string, changes?: Partial<PendingMail>) => outbox.add(aMail(messageId, changes))
  const find = (id: number) => alike((stores) => stores.outbox.find(id))
  const idsOf = async (parked?: boolean) =>
    (await readers.outbox.list({ after: 0, limit: 50, parked })).items.map(({ id }) => id)
  const claim = (owner = 'w', limit = 50) => outbox.claim({ owner, limit, leaseFor: 60_000 })
  const idsClaimed = async () => (await claim()).map(({ id }) => id)
  const health = () => alike((stores) => stores.outbox.health())
  const depth = () => alike((stores) => stores.outbox.depth())
  const inAMinute = () => ({ notBefore: Date.now() + 60_000 })

  it('gives back every mail exactly as it was added, untried', async () => {
    const mails = [
      aMail('m1'),
      aMail('m2', { kind: 'already-subscribed', expiresAt: Date.now(), subscriptionId: LARGEST_ID }),
      aMail('m4', { signUpGroup: '0123456789abcdef' }),
      aMail('m5', { traceContext: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01' }),
      aMail('m6', { signUpGroup: '0123456789abcdef', traceContext: 'of a group' }),
      aMail('m3', { address: hashOf('0'), createdAt: 0, notBefore: Date.now() + 60_000 }),
    ]
    for (const mail of mails) {
      const id = await outbox.add(mail)
      expect(await find(id)).toEqual({ ...mail, ...UNTRIED, id })
    }
  })

  it('finds nothing where there is no such entry', async () => {
    expect(await find(1)).toBeUndefined()
    expect(await find(LARGEST_ID)).toBeUndefined()
  })

  it('finds many at once, each once, and not those that are gone', async () => {
    const [one, two, three] = [await add('m1'), await add('m2', { signUpGroup: 'ff' }), await add('m3')]
    await outbox.remove(two)
    const findMany = (...ids: number[]) => alike((stores) => stores.outbox.findMany(ids))
    expect(await findMany()).toEqual([])
    const found = await findMany(three, LARGEST_ID, one, two, three)
    expect(found.toSorted((a, b) => a.id - b.id)).toEqual([await find(one), await find(three)])
  })

  it('removes an entry whatever its state, and nothing if it is gone', async () => {
    const waiting = await add('waiting')
    const leased = await add('leased')
    const parked = await add('parked')
    const other = await add('other')
    await claim()
    await outbox.giveBack('w', [toPark(parked, 'no')])
    await outbox.giveBack('w', [{ id: waiting, notBefore: Date.now() + 9_999, attempted: true }])
    await runEach([waiting, leased, leased], (stores, id) => stores.outbox.remove(id))
    await outbox.remove()
    await outbox.remove(parked, waiting, parked)
    expect(await idsOf()).toEqual([other])
    expect(await find(leased)).toBeUndefined()
  })

  it('says of another subscription, and changes nothing else, when it is reassigned', async () => {
    const id = await add('m1', { subscriptionId: 1, signUpGroup: 'ff' })
    const other = await add('m2', { subscriptionId: 1 })
    await claim('w', 1)
    const before = await find(id)
    await outbox.reassign(id, LARGEST_ID)
    await outbox.reassign(other + 1, 2)
    expect(await find(id)).toEqual({ ...before, subscriptionId: LARGEST_ID })
    expect((await find(other))?.subscriptionId).toBe(1)
    await outbox.giveBack('w', [toPark(id, 'still held')])
    expect(await find(id)).toMatchObject({ lastError: 'still held' })
  })

  it('never gives out an id again', async () => {
    const first = await add('m1')
    await outbox.remove(first)
    expect(await add('m2')).toBeGreaterThan(first)
  })

  it('lists the oldest first, stretch by stretch, whenever they are due', async () => {
    const ids: number[] = []
    for (const n of upTo(5)) ids.push(await add(`m${n}`, { notBefore: 5_000 - n }))
    const stretches = await stretchesOf(readers.outbox.list, 3)
    expect(stretches.map((entries) => entries.map(({ id }) => id))).toEqual([ids.slice(0, 3), ids.slice(3)])
  })

  it('reschedules what waits for longer than it should, and neither what is parked nor what waits for less', async () => {
    const soon = Date.now() + 60_000
    const near = await add('near', { notBefore: soon })
    const far = await add('far', { notBefore: soon + 3_600_000 })
    const parked = await add('parked')
    await claim()
    await outbox.giveBack('w', [toPark(parked, 'refused')])
    expect(await outbox.reschedule(600_000)).toBe(1)
    expect(await idsClaimed()).toEqual([far])
    expect((await find(near))?.notBefore).toBe(soon)
    expect(await outbox.reschedule(0)).toBe(1)
    expect(await idsClaimed()).toEqual([near])
  })

  it('parks an entry for a person, with the reason, and lists parked ones apart', async () => {
    const one = await add('m1')
    const two = await add('m2')
    await claim()
    await outbox.giveBack('w', [toPark(one, '550 no such user 😀')])
    const parked = await find(one)
    expect(parked).toMatchObject({ attempts: 1, lastError: '550 no such user 😀' })
    expect(Math.abs((parked?.parkedAt ?? 0) - Date.now())).toBeLessThan(60_000)
    expect(await idsOf(true)).toEqual([one])
    expect(await idsOf(false)).toEqual([two])
    expect(await idsOf()).toEqual([one, two])
  })

  it('makes a parked or waiting entry due at once when it is retried, and forgets its attempts', async () => {
    const parked = await add('parked')
    const waiting = await add('waiting')
    const later = await add('later', inAMinute())
    await claim()
    await outbox.giveBack('w', [toPark(parked, 'no')])
    await outbox.giveBack('w', [{ id: waiting, ...inAMinute(), attempted: true }])
    expect(await claim()).toEqual([])
    for (const id of [parked, waiting, later]) expect(await outbox.retry(id)).toBe(true)
    expect(await find(parked)).toMatchObject({ attempts: 0, parkedAt: undefined })
    const claimed = await claim('v')
    expect(claimed.map(({ id }) => id)).toEqual([parked, waiting, later])
    expect(claimed.map(({ attempts }) => attempts)).toEqual([1, 1, 1])
  })

  it('says that there is nothing to retry where there is no such entry', async () => {
    expect(await outbox.retry(1)).toBe(false)
  })

  it('is healthy while nothing is parked or due', async () => {
    expect(await health()).toEqual({ parked: false, dueSince: undefined })
    await add('later', inAMinute())
    expect(await health()).toEqual({ parked: false, dueSince: undefined })
  })

  it('says how many entries wait, held ones among them, and how many are parked', async () => {
    expect(await depth()).toEqual({ waiting: 0, parked: 0 })
    const due = await add('due')
    await add('held')
    await add('later', inAMinute())
    await claim()
    expect(await depth()).toEqual({ waiting: 3, parked: 0 })
    await outbox.giveBack('w', [toPark(due, 'no')])
    expect(await depth()).toEqual({ waiting: 2, parked: 1 })
    await outbox.remove(due)
    expect(await depth()).toEqual({ waiting: 2, parked: 0 })
  })

  it('says since when the longest-waiting entry has been due, of those without a lease', async () => {
    await add('b', { notBefore: 2_000 })
    const longest = await add('a', { notBefore: 1_000 })
    await add('c', { notBefore: 3_000 })
    expect((await health()).dueSince).toBe(1_000)
    await claim('w', 1)
    expect((await health()).dueSince).toBe(2_000)
    await outbox.giveBack('w', [toPark(longest, 'no')])
    expect(await health()).toEqual({ parked: true, dueSince: 2_000 })
  })
})
