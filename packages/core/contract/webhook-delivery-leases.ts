import { expect, it } from 'vitest'
import { deliveries, leases } from './leases.ts'
import { anEventAt, aWebhook, pause, toPark, upTo, webhookName } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const SHOP = webhookName('shop')
const LONG = 60_000

export const webhookDeliveryLeasesContract = storageSuite('the leases of a webhook delivery store', (storage) => {
  leases(deliveries, storage)

  const { webhooks, webhookDeliveries } = storage.stores
  const begin = async (...events: ReturnType<typeof anEventAt>[]) => {
    await webhooks.put(aWebhook('shop'))
    await webhookDeliveries.add(SHOP, events)
  }
  const claim = async (owner: string, webhook = SHOP) => {
    const claimed = await webhookDeliveries.claim({ webhook, owner, limit: 50, leaseFor: LONG })
    return claimed.map(({ id, event }) => ({ id, position: event.position }))
  }
  const claimed = async (owner: string, webhook = SHOP) => (await claim(owner, webhook)).map(({ position }) => position)

  it('are of one target alone', async () => {
    await begin(anEventAt(1))
    await webhooks.put(aWebhook('crm'))
    await webhookDeliveries.add(webhookName('crm'), [anEventAt(1)])
    expect(await claimed('one')).toEqual([1])
    expect(await claimed('one', webhookName('crm'))).toEqual([1])
  })

  it('go to one event of a subject at a time, the earliest first, whatever became of it before', async () => {
    await begin(...upTo(6).map((n) => anEventAt(n, { subject: n % 2 ? 'odd' : 'even' })))
    const [odd, even] = await claim('w')
    expect([odd?.position, even?.position]).toEqual([1, 2])
    expect(await claimed('v')).toEqual([])
    await webhookDeliveries.settleMany('w', [even?.id ?? 0])
    expect(await claimed('v')).toEqual([4])
    const soon = Date.now() + LONG
    await webhookDeliveries.giveBack('w', [{ id: odd?.id ?? 0, notBefore: soon, attempted: true, error: 'busy' }])
    expect(await claimed('v')).toEqual([])
  })

  it('end with the entries when their owner settles them, and by no one else', async () => {
    await begin(anEventAt(1), anEventAt(2), anEventAt(3))
    const [first = 0, second = 0, third = 0] = (await claim('one')).map(({ id }) => id)
    const left = async () => (await webhookDeliveries.list({ after: 0, limit: 9 })).items.map(({ id }) => id)
    await webhookDeliveries.settleMany('two', [first, second])
    expect(await left()).toEqual([first, second, third])
    await webhookDeliveries.settleMany('one', [first, third, third, 99_999])
    expect(await left()).toEqual([second])
    await webhookDeliveries.settleMany('one', [])
    await webhookDeliveries.settleMany('one', [first])
    expect(await left()).toEqual([second])
  })

  it('go on to the next event of a subject where the earlier one is parked, or its target is gone', async () => {
    await begin(...upTo(3).map((n) => anEventAt(n, { subject: 'same' })))
    const [first] = await claim('w')
    await webhookDeliveries.giveBack('w', [toPark(first?.id ?? 0, 'no')])
    expect(await claimed('w')).toEqual([2])
    await webhookDeliveries.retry(first?.id ?? 0)
    expect(await claimed('w')).toEqual([1])
  })

  it('keep the order of a subject when many owners claim and settle at the same time', async () => {
    const other = await storage.another()
    await begin(...upTo(24).map((n) => anEventAt(n, { subject: `s${n % 3}` })))
    const settled: number[] = []
    const work = async (n: number) => {
      const { unitOfWork } = n % 2 ? storage : other
      const owner = `owner ${n}`
      for (let idle = 0; idle < 20 && settled.length < 24; await pause(1)) {
        const due = await unitOfWork.run((stores) =>
          stores.webhookDeliveries.claim({ webhook: SHOP, owner, limit: 2, leaseFor: LONG }),
        )
        if (due.length === 0) idle++
        settled.push(...due.map(({ event }) => event.position))
        const ids = due.map(({ id }) => id)
        await unitOfWork.run((stores) => stores.webhookDeliveries.settleMany(owner, ids))
      }
    }
    await Promise.all(upTo(4).map(work))
    expect(settled).toHaveLength(24)
    for (const rest of [0, 1, 2]) {
      const ofSubject = settled.filter((position) => position % 3 === rest)
      expect(ofSubject).toEqual(ofSubject.toSorted((a, b) => a - b))
    }
  })
})
