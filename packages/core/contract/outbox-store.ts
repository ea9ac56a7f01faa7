import { expect, it } from 'vitest'
import type { PendingMail } from '../src/index.ts'
import { aMail, hashOf, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const UNTRIED = { attempts: 0, lastError: undefined, parkedAt: undefined }
const LARGEST_ID = Number.MAX_SAFE_INTEGER

export const outboxStoreContract = storageSuite('an outbox store', ({ run, runEach, stores, readers }) => {
  const add = (mail: PendingMail) => stores.outbox.add(mail)
  const find = (id: number) => readers.outbox.find(id)
  const idsOf = async (parked?: boolean) =>
    (await readers.outbox.list({ after: 0, limit: 50, parked })).items.map(({ id }) => id)
  const claim = (owner: string) => stores.outbox.claim({ owner, limit: 50, leaseFor: 60_000 })

  it('gives back every mail exactly as it was added, untried', async () => {
    const mails = [
      aMail('m1'),
      aMail('m2', { kind: 'already-subscribed', expiresAt: Date.now(), subscriptionId: LARGEST_ID }),
      aMail('m3', { address: hashOf('0'), createdAt: 0, notBefore: Date.now() + 60_000 }),
    ]
    for (const mail of mails) {
      const id = await add(mail)
      expect(await find(id)).toEqual({ ...mail, ...UNTRIED, id })
      expect(await stores.outbox.find(id)).toEqual({ ...mail, ...UNTRIED, id })
    }
  })

  it('finds nothing where there is no such entry', async () => {
    expect(await find(1)).toBeUndefined()
    expect(await find(LARGEST_ID)).toBeUndefined()
  })

  it('removes an entry whatever its state, and nothing if it is gone', async () => {
    const waiting = await add(aMail('waiting'))
    const leased = await add(aMail('leased'))
    const parked = await add(aMail('parked'))
    const other = await add(aMail('other'))
    await claim('w')
    await stores.outbox.park(parked, 'w', 'no')
    await stores.outbox.postpone(waiting, 'w', { notBefore: Date.now() + 9_999, attempted: true })
    await runEach([waiting, leased, parked, leased], ({ outbox }, id) => outbox.remove(id))
    expect(await idsOf()).toEqual([other])
    expect(await find(leased)).toBeUndefined()
  })

  it('never gives out an id again', async () => {
    const first = await add(aMail('m1'))
    await stores.outbox.remove(first)
    expect(await add(aMail('m2'))).toBeGreaterThan(first)
  })

  it('lists the oldest first, stretch by stretch, whenever they are due', async () => {
    const ids: number[] = []
    for (const n of upTo(5)) ids.push(await add(aMail(`m${n}`, { notBefore: 5_000 - n })))
    const { items, next } = await readers.outbox.list({ after: 0, limit: 3 })
    expect(items.map(({ id }) => id)).toEqual(ids.slice(0, 3))
    const rest = await readers.outbox.list({ after: next ?? 0, limit: 3 })
    expect(rest.items.map(({ id }) => id)).toEqual(ids.slice(3))
    expect(rest.next).toBeUndefined()
  })

  it('reschedules what waits for longer than it should, and neither what is parked nor what waits for less', async () => {
    const soon = Date.now() + 60_000
    const [near, far, parked] = await run(async ({ outbox }) => [
      await outbox.add(aMail('near', { notBefore: soon })),
      await outbox.add(aMail('far', { notBefore: soon + 3_600_000 })),
      await outbox.add(aMail('parked')),
    ])
    await claim('w')
    await stores.outbox.park(parked ?? 0, 'w', 'refused')
    expect(await stores.outbox.reschedule(600_000)).toBe(1)
    expect((await claim('w')).map(({ id }) => id)).toEqual([far])
    expect((await find(near ?? 0))?.notBefore).toBe(soon)
    expect(await stores.outbox.reschedule(0)).toBe(1)
    expect((await claim('w')).map(({ id }) => id)).toEqual([near])
  })

  it('parks an entry for a person, with the reason, and lists parked ones apart', async () => {
    const one = await add(aMail('m1'))
    const two = await add(aMail('m2'))
    await claim('w')
    await stores.outbox.park(one, 'w', '550 no such user 😀')
    const parked = await find(one)
    expect(parked).toMatchObject({ attempts: 1, lastError: '550 no such user 😀' })
    expect(Math.abs((parked?.parkedAt ?? 0) - Date.now())).toBeLessThan(60_000)
    expect(await idsOf(true)).toEqual([one])
    expect(await idsOf(false)).toEqual([two])
    expect(await idsOf()).toEqual([one, two])
  })

  it('makes a parked or waiting entry due at once when it is retried, and forgets its attempts', async () => {
    const parked = await add(aMail('parked'))
    const waiting = await add(aMail('waiting'))
    const later = await add(aMail('later', { notBefore: Date.now() + 60_000 }))
    await claim('w')
    await stores.outbox.park(parked, 'w', 'no')
    await stores.outbox.postpone(waiting, 'w', { notBefore: Date.now() + 60_000, attempted: true })
    expect(await claim('w')).toEqual([])
    for (const id of [parked, waiting, later]) expect(await stores.outbox.retry(id)).toBe(true)
    expect(await find(parked)).toMatchObject({ attempts: 0, parkedAt: undefined })
    const claimed = await claim('v')
    expect(claimed.map(({ id, attempts }) => [id, attempts])).toEqual([
      [parked, 1],
      [waiting, 1],
      [later, 1],
    ])
  })

  it('says that there is nothing to retry where there is no such entry', async () => {
    expect(await stores.outbox.retry(1)).toBe(false)
  })

  it('is healthy while nothing is parked or due', async () => {
    const health = () => readers.outbox.health()
    expect(await health()).toEqual({ parked: false, dueSince: undefined })
    await add(aMail('later', { notBefore: Date.now() + 60_000 }))
    expect(await health()).toEqual({ parked: false, dueSince: undefined })
  })

  it('says how many entries wait, held ones among them, and how many are parked', async () => {
    const depth = () => readers.outbox.depth()
    expect(await depth()).toEqual({ waiting: 0, parked: 0 })
    const due = await add(aMail('due'))
    await add(aMail('held'))
    await add(aMail('later', { notBefore: Date.now() + 60_000 }))
    await claim('w')
    expect(await depth()).toEqual({ waiting: 3, parked: 0 })
    await stores.outbox.park(due, 'w', 'no')
    expect(await depth()).toEqual({ waiting: 2, parked: 1 })
    await stores.outbox.remove(due)
    expect(await depth()).toEqual({ waiting: 2, parked: 0 })
  })

  it('says since when the longest-waiting entry has been due, of those without a lease', async () => {
    const dueSince = async () => (await readers.outbox.health()).dueSince
    await add(aMail('b', { notBefore: 2_000 }))
    const longest = await add(aMail('a', { notBefore: 1_000 }))
    await add(aMail('c', { notBefore: 3_000 }))
    expect(await dueSince()).toBe(1_000)
    await stores.outbox.claim({ owner: 'w', limit: 1, leaseFor: 60_000 })
    expect(await dueSince()).toBe(2_000)
    await stores.outbox.park(longest, 'w', 'no')
    expect(await readers.outbox.health()).toEqual({ parked: true, dueSince: 2_000 })
  })
})
