import { describe, expect, it } from 'vitest'
import { anEventAt, aWebhook, pause, upTo, webhookName } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

const LONG = 60_000
const SHORT = 40
const SHOP = webhookName('shop')

export const webhookDeliveryLeasesContract = (open: OpenStorage) =>
  describe('the leases of a webhook delivery store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const owe = (...events: ReturnType<typeof anEventAt>[]) =>
      run(async ({ webhooks, webhookDeliveries }) => {
        await webhooks.put(aWebhook('shop'))
        await webhookDeliveries.add(SHOP, events)
      })
    const claim = (owner: string, leaseFor = LONG, limit = 50, handle: Pick<typeof storage, 'unitOfWork'> = storage) =>
      handle.unitOfWork.run(({ webhookDeliveries }) =>
        webhookDeliveries.claim({ webhook: SHOP, owner, limit, leaseFor }),
      )
    const claimed = async (...parameters: Parameters<typeof claim>) =>
      (await claim(...parameters)).map(({ event }) => event.position)
    const settle = (id: number, owner: string) => run(({ webhookDeliveries }) => webhookDeliveries.settle(id, owner))
    const find = (id: number) => storage.readers.webhookDeliveries.find(id)
    const claimOne = async (owner: string, leaseFor = LONG) => {
      const [delivery] = await claim(owner, leaseFor, 1)
      if (delivery === undefined) throw new Error('Nothing was due.')
      return delivery
    }

    it('go to what is due, longest due first, up to the limit, and count the attempt', async () => {
      await owe(...[3, 1, 4, 2].map((n) => anEventAt(n)))
      expect(await claimed('w', LONG, 3)).toEqual([1, 2, 3])
      const [last] = await claim('w')
      expect(last).toMatchObject({ attempts: 1, event: { position: 4 } })
      expect(await find(last?.id ?? 0)).toEqual(last)
    })

    it('are of one target alone', async () => {
      await owe(anEventAt(1))
      await run(async ({ webhooks, webhookDeliveries }) => {
        await webhooks.put(aWebhook('crm'))
        await webhookDeliveries.add(webhookName('crm'), [anEventAt(1, { subject: 's1' })])
      })
      expect(await claimed('one')).toEqual([1])
      const other = await run(({ webhookDeliveries }) =>
        webhookDeliveries.claim({ webhook: webhookName('crm'), owner: 'one', limit: 9, leaseFor: LONG }),
      )
      expect(other).toHaveLength(1)
    })

    it('go to one event of a subject at a time, the earliest first, whatever became of it before', async () => {
      await owe(...upTo(6).map((n) => anEventAt(n, { subject: n % 2 ? 'odd' : 'even' })))
      const [odd, even] = await claim('w')
      expect([odd?.event.position, even?.event.position]).toEqual([1, 2])
      expect(await claimed('v')).toEqual([])
      await settle(even?.id ?? 0, 'w')
      expect(await claimed('v')).toEqual([4])
      const soon = Date.now() + LONG
      await run(({ webhookDeliveries }) =>
        webhookDeliveries.postpone(odd?.id ?? 0, 'w', { notBefore: soon, attempted: true, error: 'busy' }),
      )
      expect(await claimed('v')).toEqual([])
    })

    it('go on to the next event of a subject where the earlier one is parked, or its target is gone', async () => {
      await owe(...upTo(3).map((n) => anEventAt(n, { subject: 'same' })))
      const first = await claimOne('w')
      await run(({ webhookDeliveries }) => webhookDeliveries.park(first.id, 'w', 'no'))
      expect(await claimed('w')).toEqual([2])
      await run(({ webhookDeliveries }) => webhookDeliveries.retry(first.id))
      expect(await claimed('w')).toEqual([1])
    })

    it('never overlap when many owners claim at the same time, on any number of handles', async () => {
      const other = await storage.another()
      await owe(...upTo(60).map((n) => anEventAt(n)))
      const claims = await Promise.all(upTo(12).map((n) => claimed(`owner ${n}`, LONG, 7, n % 2 ? storage : other)))
      expect(claims.flat().sort((a, b) => a - b)).toEqual(upTo(60))
    })

    it('keep the order of a subject when many owners claim and settle at the same time', async () => {
      const other = await storage.another()
      await owe(...upTo(24).map((n) => anEventAt(n, { subject: `s${n % 3}` })))
      const settled: number[] = []
      const work = async (n: number) => {
        for (let idle = 0; idle < 20; ) {
          const handle = n % 2 ? storage : other
          const deliveries = await claim(`owner ${n}`, LONG, 2, handle)
          if (deliveries.length === 0) idle++
          for (const { id, event } of deliveries) {
            settled.push(event.position)
            expect(
              await handle.unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.settle(id, `owner ${n}`)),
            ).toBe(true)
          }
          if (settled.length === 24) return
          await pause(1)
        }
      }
      await Promise.all(upTo(4).map(work))
      expect(settled).toHaveLength(24)
      for (const rest of [0, 1, 2]) {
        const ofSubject = settled.filter((position) => position % 3 === rest)
        expect(ofSubject).toEqual(ofSubject.toSorted((a, b) => a - b))
      }
    })

    it('run out: then the event is due again for anybody, and every attempt is counted', async () => {
      await owe(anEventAt(1))
      await claim('one', SHORT)
      await pause(2 * SHORT)
      expect(await claim('two')).toMatchObject([{ attempts: 2 }])
      expect(await claimed('one')).toEqual([])
    })

    it('are renewed all at once, for the owner alone, and not once they were taken over', async () => {
      await owe(anEventAt(1), anEventAt(2))
      await claimOne('one', SHORT)
      await pause(2 * SHORT)
      const second = await run(async ({ webhookDeliveries }) => {
        const deliveries = await webhookDeliveries.claim({
          ...{ webhook: SHOP, owner: 'one', limit: 50, leaseFor: 10 * SHORT },
        })
        await webhookDeliveries.renew('one', LONG)
        return deliveries.map(({ event }) => event.position)
      })
      expect(second).toEqual([2])
      expect(await claimed('two', SHORT)).toEqual([1])
      await run(({ webhookDeliveries }) => webhookDeliveries.renew('one', LONG))
      await pause(12 * SHORT)
      expect(await claimed('three')).toEqual([1])
    })

    it('end with the delivery when their owner settles it, and keep everybody else from touching it', async () => {
      await owe(anEventAt(1))
      const { id } = await claimOne('one', SHORT)
      await pause(2 * SHORT)
      const held = await claimOne('two')
      expect(await settle(id, 'one')).toBe(false)
      await run(async ({ webhookDeliveries }) => {
        await webhookDeliveries.postpone(id, 'one', { notBefore: 0, attempted: true, error: 'theirs' })
        await webhookDeliveries.park(id, 'one', 'theirs')
      })
      expect(await find(id)).toEqual(held)
      expect(await settle(id, 'two')).toBe(true)
      expect(await find(id)).toBeUndefined()
      expect(await settle(id, 'two')).toBe(false)
    })

    it('are given back by postponing: not due before the time, with the last error; and as if never claimed', async () => {
      await owe(anEventAt(1))
      const { id } = await claimOne('one')
      const give = (notBefore: number, attempted: boolean, error?: string) =>
        run(({ webhookDeliveries }) => webhookDeliveries.postpone(id, 'one', { notBefore, attempted, error }))
      await give(0, true, 'busy')
      expect(await find(id)).toMatchObject({ attempts: 1, lastError: 'busy' })
      await claim('one')
      await give(0, false)
      expect(await find(id)).toMatchObject({ attempts: 1, lastError: 'busy' })
      await claim('one')
      await give(Date.now() + LONG, true)
      expect(await claimed('two')).toEqual([])
    })

    it('are not taken away by a retry', async () => {
      await owe(anEventAt(1))
      const { id } = await claimOne('one')
      await run(async ({ webhookDeliveries }) => {
        await webhookDeliveries.retry(id)
        await webhookDeliveries.retryAll(SHOP, { parked: false })
      })
      expect(await claimed('two')).toEqual([])
      expect(await settle(id, 'one')).toBe(true)
    })
  })
