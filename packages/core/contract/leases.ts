import { expect, it } from 'vitest'
import type { Claim, GivenBack, LeasedEntries, OutboxEntry, Stores, WebhookDelivery } from '../src/index.ts'
import { aMail, anEventAt, aWebhook, pause, toPark, upTo, webhookName } from './samples.ts'
import { type FreshStorage, storageSuite } from './storage-under-test.ts'

const LONG = 60_000
const SHORT = 40
const SHOP = webhookName('shop')

type Postponement = Omit<GivenBack, 'id'>

/** A store whose entries are worked on under leases. */
export interface Leasing<Entry> {
  readonly name: 'outbox' | 'webhookDeliveries'
  /** Adds an entry for each number; the lower it is, the longer the entry has been due. */
  add(stores: Stores, numbers: readonly number[]): Promise<unknown>
  numberOf(entry: Entry): number
  claim(stores: Stores, claim: Claim): Promise<readonly Entry[]>
  /** Every way to retry an entry. */
  retry(stores: Stores, id: number): Promise<unknown>
}

const outbox: Leasing<OutboxEntry> = {
  name: 'outbox',
  add: async (stores, numbers) => {
    for (const n of numbers) await stores.outbox.add(aMail(`m${n}`, { notBefore: 1_000 * n }))
  },
  numberOf: ({ messageId }) => Number(messageId.slice(1)),
  claim: (stores, claim) => stores.outbox.claim(claim),
  retry: (stores, id) => stores.outbox.retry(id),
}

export const deliveries: Leasing<WebhookDelivery> = {
  name: 'webhookDeliveries',
  add: async ({ webhooks, webhookDeliveries }, numbers) => {
    await webhooks.put(aWebhook('shop'))
    await webhookDeliveries.add(
      SHOP,
      numbers.map((n) => anEventAt(n)),
    )
  },
  numberOf: ({ event }) => event.position,
  claim: (stores, claim) => stores.webhookDeliveries.claim({ ...claim, webhook: SHOP }),
  retry: async ({ webhookDeliveries }, id) => {
    await webhookDeliveries.retry(id)
    await webhookDeliveries.retryAll(SHOP, { parked: false })
  },
}

/** What holds for the leases of every such store. */
export const leases = <Entry extends OutboxEntry | WebhookDelivery>(leasing: Leasing<Entry>, storage: FreshStorage) => {
  const { name, add, numberOf, claim, retry } = leasing
  const { run, undone, atOnce, readers } = storage
  const store: LeasedEntries = storage.stores[name]
  const found = async (id: number) =>
    (await readers[name].list({ after: id - 1, limit: 1 })).items.find((one) => one.id === id)
  const begin = (...numbers: number[]) => run((stores) => add(stores, numbers))
  const beginOne = async () => {
    await begin(1)
    const { items } = await readers[name].list({ after: 0, limit: 1 })
    return items[0]?.id ?? 0
  }
  const claims = (owner: string, leaseFor = LONG, limit = 50) =>
    run((stores) => claim(stores, { owner, limit, leaseFor }))
  const claimed = async (...parameters: Parameters<typeof claims>) => (await claims(...parameters)).map(numberOf)
  const postponeAs = (owner: string, id: number, postponement: Postponement) =>
    store.giveBack(owner, [{ id, ...postponement }])
  const postpone = (id: number, notBefore: number, attempted: boolean, error?: string) =>
    postponeAs('one', id, { notBefore, attempted, error })
  /** Whether the owner still holds it: it is parked then. */
  const isHeldBy = async (owner: string, id: number) => {
    await store.giveBack(owner, [toPark(id, `held by ${owner}`)])
    return (await found(id))?.lastError === `held by ${owner}`
  }
  /** Claims, and lets the leases run out. */
  const claimBriefly = async (owner: string) => {
    await claims(owner, SHORT)
    await pause(2 * SHORT)
  }

  it('are given back of many at once, each by what is said of it, and only of those that are held', async () => {
    await begin(1, 2)
    const [first, second] = await claims('one')
    await begin(3)
    const [others] = await claims('two')
    const later = Date.now() + LONG
    await store.giveBack('one', [
      { id: second?.id ?? 0, notBefore: 5, attempted: false },
      { id: others?.id ?? 0, notBefore: 5, attempted: true, error: 'not theirs' },
      { id: first?.id ?? 0, notBefore: later, attempted: true, error: 'busy 😀 "{}\\' },
      { id: 99_999, notBefore: 5, attempted: true },
    ])
    expect(await found(first?.id ?? 0)).toMatchObject({ attempts: 1, notBefore: later, lastError: 'busy 😀 "{}\\' })
    expect(await found(others?.id ?? 0)).toEqual(others)
    await store.giveBack('one', [])
    expect(await claims('three')).toEqual([{ ...second, notBefore: 5 }])
  })

  it('go to what is due, longest due first, up to the limit, and count the attempt', async () => {
    await begin(3, 1, 4, 2)
    const first = await claims('w', LONG, 3)
    expect(first.map((entry) => [numberOf(entry), entry.attempts])).toEqual([1, 2, 3].map((n) => [n, 1]))
    expect(first[0]).toEqual(await found(first[0]?.id ?? 0))
    expect(await claimed('w')).toEqual([4])
  })

  it('are held by one owner at a time', async () => {
    await begin(1, 2, 3)
    expect(await claims('one')).toHaveLength(3)
    expect(await claims('two')).toEqual([])
    expect(await claims('one')).toEqual([])
  })

  it('are counted: those of every owner, and none that has run out or is given back', async () => {
    await begin(1, 2, 3)
    const underWay = () => readers[name].underWay()
    expect(await underWay()).toBe(0)
    const [first] = await claims('one', LONG, 1)
    await claims('two', LONG, 1)
    await claims('brief', SHORT)
    await pause(2 * SHORT)
    expect(await underWay()).toBe(2)
    await postpone(first?.id ?? 0, 5, true)
    expect(await underWay()).toBe(1)
  })

  it('never overlap when many owners claim at the same time, on any number of handles', async () => {
    await begin(...upTo(60))
    const all = await atOnce(12, (stores, n) => claim(stores, { owner: `owner ${n}`, limit: 7, leaseFor: LONG }))
    const numbers = all.flat().map(numberOf)
    expect(numbers.sort((a, b) => a - b)).toEqual(upTo(60))
  })

  it('leave no trace of a claim that was undone', async () => {
    const id = await beginOne()
    await undone((stores) => claim(stores, { owner: 'w', limit: 1, leaseFor: LONG }))
    expect(await found(id)).toMatchObject({ attempts: 0 })
    expect(await claims('v')).toMatchObject([{ id }])
  })

  it('run out: then the entry is due again for every other owner, and every attempt is counted', async () => {
    const id = await beginOne()
    await claimBriefly('one')
    expect(await claims('two')).toMatchObject([{ id, attempts: 2 }])
    expect(await claims('one')).toEqual([])
  })

  it('that have run out are not given to their own owner, who is at work on it still', async () => {
    const id = await beginOne()
    await claimBriefly('one')
    expect(await claims('one')).toEqual([])
    expect(await isHeldBy('one', id)).toBe(true)
  })

  it('are renewed all at once, for the owner alone', async () => {
    await begin(1, 2)
    const renewed = await run(async (stores) => {
      const entries = await claim(stores, { owner: 'one', limit: 50, leaseFor: 10 * SHORT })
      await stores[name].renew('one', LONG)
      return entries.map(numberOf)
    })
    expect(renewed).toEqual([1, 2])
    await begin(3, 4)
    expect(await claimed('two', SHORT)).toEqual([3, 4])
    await store.renew('one', LONG)
    await pause(12 * SHORT)
    expect(await claimed('three')).toEqual([3, 4])
  })

  it('that have run out or were taken over are not renewed', async () => {
    await begin(1)
    await claimBriefly('one')
    await store.renew('one', LONG)
    expect(await claims('two', SHORT)).toHaveLength(1)
    await store.renew('one', LONG)
    await pause(2 * SHORT)
    expect(await claims('three')).toHaveLength(1)
  })

  it('keep every other owner from postponing and parking', async () => {
    const id = await beginOne()
    const touch = async (owner: string) => {
      await postponeAs(owner, id, { notBefore: 0, attempted: true, error: 'theirs' })
      await store.giveBack(owner, [toPark(id, 'theirs')])
    }
    const before = await found(id)
    await touch('no worker holds it')
    expect(await found(id)).toEqual(before)
    await claimBriefly('one')
    const [held] = await claims('two')
    await touch('one')
    expect(await found(id)).toEqual(held)
    expect(await claims('three')).toEqual([])
    expect(await isHeldBy('two', id)).toBe(true)
  })

  it('are given back by postponing: not due before the time, with the last error', async () => {
    const id = await beginOne()
    await claims('one')
    const notBefore = Date.now() + LONG
    await postpone(id, notBefore, true, 'busy')
    expect(await found(id)).toMatchObject({ attempts: 1, lastError: 'busy', notBefore, parkedAt: undefined })
    expect(await isHeldBy('one', id)).toBe(false)
    expect(await claims('two')).toEqual([])
  })

  it('that were postponed go to any owner when the time has come', async () => {
    const id = await beginOne()
    await claims('one')
    await postpone(id, Date.now() + SHORT, true, 'busy')
    await pause(2 * SHORT)
    expect(await claims('two')).toMatchObject([{ id, attempts: 2, lastError: 'busy' }])
  })

  it('count no attempt that was not made, and keep the error of the last that was', async () => {
    const id = await beginOne()
    const giveBack = async (attempted: boolean, error?: string) => {
      await claims('one')
      await postpone(id, 0, attempted, error)
      return await found(id)
    }
    for (const _ of upTo(3)) expect(await giveBack(false)).toMatchObject({ attempts: 0, lastError: undefined })
    expect(await giveBack(true, 'busy')).toMatchObject({ attempts: 1, lastError: 'busy' })
    expect(await giveBack(false)).toMatchObject({ attempts: 1, lastError: 'busy' })
  })

  it('are given back by parking: due for no worker', async () => {
    const id = await beginOne()
    await claims('one', SHORT)
    await store.giveBack('one', [toPark(id)])
    await pause(2 * SHORT)
    expect(await claims('two')).toEqual([])
    expect(await isHeldBy('one', id)).toBe(false)
  })

  it('are not taken away by a retry', async () => {
    const id = await beginOne()
    await claims('one')
    await run((stores) => retry(stores, id))
    expect(await claims('two')).toEqual([])
    expect(await isHeldBy('one', id)).toBe(true)
  })

  it('that are retried and then given back untried count no attempt', async () => {
    const id = await beginOne()
    await claims('one')
    await run((stores) => retry(stores, id))
    await postpone(id, 0, false)
    expect(await found(id)).toMatchObject({ attempts: 0 })
  })
}

export const outboxLeasesContract = storageSuite('the leases of an outbox store', (storage) => {
  leases(outbox, storage)

  it('go to no entry before its time', async () => {
    const id = await storage.stores.outbox.add(aMail('later', { notBefore: Date.now() + LONG }))
    expect(await storage.stores.outbox.claim({ owner: 'w', limit: 9, leaseFor: LONG })).toEqual([])
    expect((await storage.readers.outbox.find(id))?.attempts).toBe(0)
  })
})
