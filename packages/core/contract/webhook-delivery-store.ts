import { describe, expect, it } from 'vitest'
import type { Webhook } from '../src/index.ts'
import { anEvent, anEventAt, aWebhook, EVENT_SAMPLES, pause, upTo, webhookName } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

const LONG = 60_000
const SHOP = webhookName('shop')
const CRM = webhookName('crm')

export const webhookDeliveryStoreContract = (open: OpenStorage) =>
  describe('a webhook delivery store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const targets = (...changes: Partial<Webhook>[]) =>
      run(async ({ webhooks }) => {
        await webhooks.put(aWebhook('shop', changes[0]))
        await webhooks.put(aWebhook('crm', changes[1]))
      })
    const owe = (webhook: typeof SHOP, ...events: ReturnType<typeof anEventAt>[]) =>
      run(({ webhookDeliveries }) => webhookDeliveries.add(webhook, events))
    const list = async (filter = {}) =>
      (await storage.readers.webhookDeliveries.list({ after: 0, limit: 200, ...filter })).items
    const claim = (webhook = SHOP, limit = 50, owner = 'w', leaseFor = LONG) =>
      run(({ webhookDeliveries }) => webhookDeliveries.claim({ webhook, owner, limit, leaseFor }))
    const positions = (all: readonly { readonly event: { readonly position: number } }[]) =>
      all.map(({ event }) => event.position)
    const park = async (position: number) => {
      for (const { id, event } of await claim())
        await run(({ webhookDeliveries }) =>
          event.position === position
            ? webhookDeliveries.park(id, 'w', 'no')
            : webhookDeliveries.postpone(id, 'w', { notBefore: 0, attempted: false }),
        )
    }

    it('is empty before anything is queued', async () => {
      expect(await list()).toEqual([])
      expect(await storage.readers.webhookDeliveries.find(1)).toBeUndefined()
      expect(await storage.readers.webhookDeliveries.due(9)).toEqual([])
      expect(await storage.readers.webhookDeliveries.health()).toEqual({ parked: false, dueSince: undefined })
      expect(await storage.readers.webhookDeliveries.depth()).toEqual({ waiting: 0, parked: 0 })
      expect(await claim()).toEqual([])
    })

    it('gives back every event that is queued, exactly, due at once and not tried', async () => {
      await targets()
      const before = Date.now()
      await owe(SHOP, ...EVENT_SAMPLES)
      const queued = await list()
      expect(queued.map(({ event }) => event)).toEqual(EVENT_SAMPLES)
      for (const { id, webhook, createdAt, notBefore, attempts, lastError, parkedAt } of queued) {
        expect({ webhook, attempts, lastError, parkedAt }).toEqual({ webhook: SHOP, attempts: 0, ...NOTHING })
        expect(Math.min(createdAt, notBefore)).toBeGreaterThanOrEqual(before - 1_000)
        expect(Math.max(createdAt, notBefore)).toBeLessThanOrEqual(Date.now() + 1_000)
        const found = queued.find((one) => one.id === id)
        expect(await storage.readers.webhookDeliveries.find(id)).toEqual(found)
        expect(await run(({ webhookDeliveries }) => webhookDeliveries.find(id))).toEqual(found)
      }
    })

    it('queues nothing for an unknown target', async () => {
      await owe(SHOP, anEventAt(1))
      await run(({ webhookDeliveries }) =>
        webhookDeliveries.putProgress(SHOP, { cursor: 1, failures: 0, failingSince: undefined, pausedUntil: 0 }),
      )
      expect(await list()).toEqual([])
      expect(await run(({ webhookDeliveries }) => webhookDeliveries.progress(SHOP))).toBeUndefined()
    })

    it('queues an event for a target once, and a parked one again', async () => {
      await targets()
      await owe(SHOP, anEventAt(1), anEventAt(2))
      await owe(CRM, anEventAt(2))
      await park(2)
      const [, parked] = await list({ webhook: SHOP })
      expect(parked).toMatchObject({ lastError: 'no', attempts: 1 })
      expect(parked?.parkedAt).toBeDefined()
      await claim(SHOP, 1)
      const [held] = await list({ webhook: SHOP })
      await owe(SHOP, anEventAt(1), anEventAt(2), anEventAt(3))
      expect(positions(await list({ webhook: SHOP }))).toEqual([1, 2, 3])
      const [same, again] = await list({ webhook: SHOP })
      expect(same).toEqual(held)
      expect(again).toMatchObject({ id: parked?.id, attempts: 0, parkedAt: undefined })
      expect(positions(await list({ webhook: CRM }))).toEqual([2])
    })

    it('lists by target and by whether a person is waited for, oldest first, stretch by stretch', async () => {
      await targets()
      await owe(SHOP, ...upTo(4).map((n) => anEventAt(n)))
      await owe(CRM, ...upTo(2).map((n) => anEventAt(n)))
      await park(3)
      const { webhookDeliveries } = storage.readers
      const first = await webhookDeliveries.list({ after: 0, limit: 2, webhook: SHOP, parked: false })
      expect(positions(first.items)).toEqual([1, 2])
      const second = await webhookDeliveries.list({ after: first.next ?? 0, limit: 2, webhook: SHOP, parked: false })
      expect([positions(second.items), second.next]).toEqual([[4], undefined])
      expect(positions(await list({ parked: true }))).toEqual([3])
      expect(await list({ parked: true, webhook: CRM })).toEqual([])
      expect(positions(await list({ webhook: CRM }))).toEqual([1, 2])
      expect(await webhookDeliveries.depth()).toEqual({ waiting: 5, parked: 1 })
      expect(await run(({ webhookDeliveries }) => webhookDeliveries.waiting(SHOP))).toBe(3)
    })

    it('makes all that wait for a target, or all that are parked, due at once and as if never tried; says how many', async () => {
      await targets()
      await owe(SHOP, anEventAt(1), anEventAt(2), anEventAt(3))
      await owe(CRM, anEventAt(1))
      await park(2)
      for (const { id } of await claim())
        await run(({ webhookDeliveries }) =>
          webhookDeliveries.postpone(id, 'w', { notBefore: Date.now() + LONG, attempted: true, error: 'busy' }),
        )
      const retryAll = (parked: boolean) => run(({ webhookDeliveries }) => webhookDeliveries.retryAll(SHOP, { parked }))
      expect(await claim()).toEqual([])
      expect(await retryAll(false)).toBe(2)
      expect((await claim()).map(({ event, attempts }) => [event.position, attempts])).toEqual([
        [1, 1],
        [3, 1],
      ])
      expect([await retryAll(true), await retryAll(true)]).toEqual([1, 0])
      expect(positions(await claim())).toEqual([2])
      expect((await storage.readers.webhookDeliveries.health()).parked).toBe(false)
    })

    it('makes one due at once, and says whether there is such a one', async () => {
      await targets()
      await owe(SHOP, anEventAt(1))
      await park(1)
      const [{ id } = { id: 0 }] = await list()
      const retry = (one: number) => run(({ webhookDeliveries }) => webhookDeliveries.retry(one))
      expect([await retry(id), await retry(id + 1)]).toEqual([true, false])
      expect(await claim()).toMatchObject([{ id, attempts: 1, parkedAt: undefined }])
    })

    it('forgets those that were parked long ago, no more than the limit at once, and no others', async () => {
      await targets()
      await owe(SHOP, ...upTo(4).map((n) => anEventAt(n)))
      for (const n of [1, 2, 3]) await park(n)
      const prune = (before: number, limit: number) =>
        run(({ webhookDeliveries }) => webhookDeliveries.prune(before, limit))
      expect(await prune(Date.now() - LONG, 9)).toBe(0)
      expect([await prune(Date.now() + LONG, 2), await prune(Date.now() + LONG, 2)]).toEqual([2, 1])
      expect(positions(await list())).toEqual([4])
    })

    describe('knows what there is to do', () => {
      const due = () => storage.readers.webhookDeliveries.due(9)
      const happen = (...subjects: string[]) =>
        run(async ({ events }) => {
          for (const subject of subjects) await events.append(anEvent(subject, { at: Date.now() - LONG }))
        })
      const caughtUp = (webhook: typeof SHOP, changes = {}) =>
        run(async ({ events, webhookDeliveries }) => {
          const { items } = await events.list({ after: 0, limit: 200 })
          const cursor = items.at(-1)?.position ?? 0
          const progress = { cursor, failures: 0, failingSince: undefined, pausedUntil: 0, ...changes }
          await webhookDeliveries.putProgress(webhook, progress)
        })

      it('for targets with events behind their cursor, or with a delivery that is due and unclaimed', async () => {
        await targets()
        expect(await due()).toEqual([])
        await happen('a')
        expect(new Set(await due())).toEqual(new Set([SHOP, CRM]))
        await caughtUp(SHOP)
        expect(await due()).toEqual([CRM])
        await caughtUp(CRM)
        expect(await due()).toEqual([])
        await owe(SHOP, anEventAt(1))
        expect(await due()).toEqual([SHOP])
        const [{ id } = { id: 0 }] = await claim()
        expect(await due()).toEqual([])
        const notBefore = Date.now() + LONG
        await run(({ webhookDeliveries }) => webhookDeliveries.postpone(id, 'w', { notBefore, attempted: true }))
        expect(await due()).toEqual([])
      })

      it('for those first that have waited the longest, up to the limit', async () => {
        await targets()
        await owe(SHOP, anEventAt(1))
        await happen('long ago')
        await caughtUp(SHOP)
        expect(await due()).toEqual([CRM, SHOP])
        expect(await storage.readers.webhookDeliveries.due(1)).toEqual([CRM])
      })

      it('for none that is disabled or resting', async () => {
        await targets({ disabled: { because: 'by-hand', since: 1 } })
        await happen('a')
        await owe(SHOP, anEventAt(1))
        expect(await due()).toEqual([CRM])
        await caughtUp(CRM, { pausedUntil: Date.now() + LONG })
        await happen('b')
        expect(await due()).toEqual([])
        expect(await storage.readers.webhookDeliveries.health()).toEqual({ parked: false, dueSince: undefined })
        await caughtUp(CRM, { pausedUntil: Date.now() - 1 })
        await happen('c')
        expect(await due()).toEqual([CRM])
      })

      it('since when, and whether a person is waited for', async () => {
        await targets()
        const health = () => storage.readers.webhookDeliveries.health()
        await happen('a')
        const since = (await health()).dueSince ?? 0
        expect(since).toBeLessThan(Date.now() - LONG / 2)
        await caughtUp(SHOP)
        await caughtUp(CRM)
        await owe(SHOP, anEventAt(1))
        expect((await health()).dueSince).toBeGreaterThan(since)
        await park(1)
        expect(await health()).toEqual({ parked: true, dueSince: undefined })
        await run(({ webhooks }) => webhooks.remove(SHOP))
        expect((await health()).parked).toBe(false)
        await run(({ webhooks }) => webhooks.put(aWebhook('crm', { disabled: { because: 'failing', since: 1 } })))
        expect((await health()).parked).toBe(true)
      })
    })

    it('keeps nothing of a unit that throws', async () => {
      await targets()
      await owe(SHOP, anEventAt(1))
      const broken = run(async ({ webhookDeliveries }) => {
        await webhookDeliveries.add(SHOP, [anEventAt(2)])
        await webhookDeliveries.claim({ webhook: SHOP, owner: 'w', limit: 9, leaseFor: LONG })
        await webhookDeliveries.putProgress(SHOP, { cursor: 99, failures: 9, failingSince: 9, pausedUntil: 9 })
        throw new Error('on purpose')
      })
      await expect(broken).rejects.toThrow('on purpose')
      await pause(0)
      expect((await run(({ webhookDeliveries }) => webhookDeliveries.progress(SHOP)))?.cursor).toBe(0)
      expect(await claim()).toMatchObject([{ attempts: 1, event: { position: 1 } }])
    })
  })

const NOTHING = { lastError: undefined, parkedAt: undefined }
