import { describe, expect, it } from 'vitest'
import {
  type EventRecord,
  KEPT_ANSWERS,
  type Webhook,
  type WebhookAnswer,
  type WebhookDeliveryFilter,
  type WebhookProgress,
} from '../src/index.ts'
import { anEvent, anEventAt, aWebhook, EVENT_SAMPLES, stretchesOf, toPark, upTo, webhookName } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const LONG = 60_000
const SHOP = webhookName('shop')
const CRM = webhookName('crm')
const NOTHING_FAILED = { failures: 0, failingSince: undefined, pausedUntil: 0 }

export const webhookDeliveryStoreContract = storageSuite('a webhook delivery store', (storage) => {
  const { run, runEach, alike, undone } = storage
  const { webhooks, webhookDeliveries: deliveries } = storage.stores
  const targets = (shop: Partial<Webhook> = {}) =>
    runEach([aWebhook('shop', shop), aWebhook('crm')], (stores, webhook) => stores.webhooks.put(webhook))
  const add = (webhook: typeof SHOP, ...events: (EventRecord | number)[]) =>
    deliveries.add(
      webhook,
      events.map((event) => (typeof event === 'number' ? anEventAt(event) : event)),
    )
  const list = (filter: Partial<WebhookDeliveryFilter> = {}) =>
    alike(({ webhookDeliveries }) => webhookDeliveries.list({ after: 0, limit: 200, ...filter }))
  const itemsOf = async (filter: Partial<WebhookDeliveryFilter> = {}) => (await list(filter)).items
  const duePage = (stretch = { after: 0, limit: 9 }) => alike(({ webhookDeliveries }) => webhookDeliveries.due(stretch))
  const due = async () => (await duePage()).items
  const health = () => alike(({ webhookDeliveries }) => webhookDeliveries.health())
  const depth = () => alike(({ webhookDeliveries }) => webhookDeliveries.depth())
  const claim = (limit = 50) => deliveries.claim({ webhook: SHOP, owner: 'w', limit, leaseFor: LONG })
  const postpone = (id: number, notBefore: number, attempted = true) =>
    deliveries.giveBack('w', [{ id, notBefore, attempted, error: 'busy' }])
  const positions = (all: readonly { readonly event: EventRecord }[]) => all.map(({ event }) => event.position)
  const park = async (position: number) => {
    for (const { id, event } of await claim())
      await (event.position === position ? deliveries.giveBack('w', [toPark(id, 'no')]) : postpone(id, 0, false))
  }

  it('is empty before anything is queued', async () => {
    expect(await itemsOf()).toEqual([])
    expect(await due()).toEqual([])
    expect(await health()).toEqual({ parked: false, dueSince: undefined })
    expect(await depth()).toEqual({ waiting: 0, parked: 0 })
    expect(await claim()).toEqual([])
  })

  it('gives back every event that is queued, exactly, due at once and not tried', async () => {
    await targets()
    const before = Date.now()
    await add(SHOP, ...EVENT_SAMPLES)
    const queued = await itemsOf()
    expect(queued.map(({ event }) => event)).toEqual(EVENT_SAMPLES)
    const untried = { webhook: SHOP, attempts: 0, lastError: undefined, parkedAt: undefined }
    for (const delivery of queued) {
      const { createdAt, notBefore } = delivery
      expect(delivery).toMatchObject(untried)
      expect(Math.min(createdAt, notBefore)).toBeGreaterThanOrEqual(before - 1_000)
      expect(Math.max(createdAt, notBefore)).toBeLessThanOrEqual(Date.now() + 1_000)
    }
  })

  it('queues nothing for an unknown target', async () => {
    await add(SHOP, 1)
    await deliveries.putProgress(SHOP, { cursor: 1, ...NOTHING_FAILED })
    expect(await itemsOf()).toEqual([])
    expect(await deliveries.progress(SHOP)).toBeUndefined()
  })

  it('queues an event for a target once, and a parked one again', async () => {
    await targets()
    await add(SHOP, 1, 2)
    await add(CRM, 2)
    await park(2)
    const [, parked] = await itemsOf({ webhook: SHOP })
    expect(parked).toMatchObject({ lastError: 'no', attempts: 1, parkedAt: expect.any(Number) })
    await claim(1)
    const [held] = await itemsOf({ webhook: SHOP })
    await add(SHOP, 1, 2, 3)
    const [same, again, ...rest] = await itemsOf({ webhook: SHOP })
    expect(same).toEqual(held)
    expect(again).toMatchObject({ id: parked?.id, attempts: 0, parkedAt: undefined, event: { position: 2 } })
    expect(positions(rest)).toEqual([3])
    expect(positions(await itemsOf({ webhook: CRM }))).toEqual([2])
  })

  it('keeps the last answers of each target, the newest first, and forgets them with it', async () => {
    await targets()
    const answers = (webhook = SHOP) => alike(({ webhookDeliveries }) => webhookDeliveries.answers(webhook))
    const answer = (position: number, webhook = SHOP): WebhookAnswer => ({
      webhook,
      at: position,
      position,
      type: 'user.created',
      subject: 'ada',
      attempt: 1,
      status: undefined,
      error: undefined,
      head: undefined,
    })
    expect(await answers()).toEqual([])
    const whole = { ...answer(1), status: 503, error: 'The target answered 503.', head: 'ü€😀 busy' }
    await deliveries.keepAnswers(SHOP, [whole, { ...answer(0), type: 'webhook.test' }])
    await deliveries.keepAnswers(CRM, [answer(7, CRM)])
    await deliveries.keepAnswers(webhookName('unknown'), [answer(1, webhookName('unknown'))])
    expect(await answers()).toEqual([{ ...answer(0), type: 'webhook.test' }, whole])
    const more = Array.from({ length: KEPT_ANSWERS + 1 }, (_, n) => answer(100 + n))
    await deliveries.keepAnswers(SHOP, more)
    expect(await answers()).toEqual(more.slice(1).toReversed())
    await undone((stores) => stores.webhookDeliveries.keepAnswers(CRM, [answer(8, CRM)]))
    expect(await answers(CRM)).toEqual([answer(7, CRM)])
    await webhooks.remove(SHOP)
    expect([await answers(), (await answers(CRM)).length]).toEqual([[], 1])
  })

  it('says which targets fail, and since when', async () => {
    await targets()
    await deliveries.putProgress(SHOP, { cursor: 0, failures: 2, failingSince: 17, pausedUntil: 0 })
    expect(await alike(({ webhookDeliveries }) => webhookDeliveries.failing())).toEqual([[SHOP, 17]])
    await targets({ disabled: { because: 'failing', since: 18 } })
    expect(await deliveries.failing()).toEqual([[SHOP, 17]])
    await targets({ disabled: { because: 'by-hand', since: 18 } })
    expect(await deliveries.failing()).toEqual([])
  })

  it('lists by target and by whether a person is waited for, oldest first, stretch by stretch', async () => {
    await targets()
    await add(SHOP, 1, 2, 3, 4)
    await add(CRM, 1, 2)
    await park(3)
    const stretches = await stretchesOf((stretch) => list({ ...stretch, webhook: SHOP, parked: false }), 2)
    expect(stretches.map(positions)).toEqual([[1, 2], [4]])
    expect(positions(await itemsOf({ parked: true }))).toEqual([3])
    expect(await itemsOf({ parked: true, webhook: CRM })).toEqual([])
    expect(positions(await itemsOf({ webhook: CRM }))).toEqual([1, 2])
    expect(await depth()).toEqual({ waiting: 5, parked: 1 })
    expect(await deliveries.waiting(SHOP)).toBe(3)
  })

  it('makes all that wait for a target, or all that are parked, due at once and as if never tried; says how many', async () => {
    await targets()
    await add(SHOP, 1, 2, 3)
    await add(CRM, 1)
    await park(2)
    for (const { id } of await claim()) await postpone(id, Date.now() + LONG)
    const retryAll = (parked: boolean) => deliveries.retryAll(SHOP, { parked })
    expect(await claim()).toEqual([])
    expect(await retryAll(false)).toBe(2)
    const claimed = await claim()
    expect(positions(claimed)).toEqual([1, 3])
    expect(claimed.map(({ attempts }) => attempts)).toEqual([1, 1])
    expect([await retryAll(true), await retryAll(true)]).toEqual([1, 0])
    expect(positions(await claim())).toEqual([2])
    expect((await health()).parked).toBe(false)
  })

  it('makes one due at once, and says whether it exists', async () => {
    await targets()
    await add(SHOP, 1)
    await park(1)
    const [{ id } = { id: 0 }] = await itemsOf()
    expect([await deliveries.retry(id), await deliveries.retry(id + 1)]).toEqual([true, false])
    expect(await claim()).toMatchObject([{ id, attempts: 1, parkedAt: undefined }])
  })

  it('reschedules what waits or rests for longer than it should, and nothing else', async () => {
    await targets()
    await add(SHOP, 1, 2, 3)
    await park(3)
    const soon = Date.now() + LONG
    for (const { id, event } of await claim()) await postpone(id, event.position === 1 ? soon : soon + 60 * LONG)
    const rest = async () => (await deliveries.progress(SHOP))?.pausedUntil
    await deliveries.putProgress(SHOP, { cursor: 3, failures: 5, failingSince: 1, pausedUntil: soon })
    await deliveries.reschedule(10 * LONG)
    expect(await rest()).toBe(soon)
    expect(positions(await claim())).toEqual([2])
    await deliveries.reschedule(0)
    expect(await rest()).toBeLessThan(soon)
    expect(positions(await claim())).toEqual([1])
    expect(await deliveries.progress(SHOP)).toMatchObject({ cursor: 3, failures: 5, failingSince: 1 })
  })

  it('forgets those that were parked long ago, no more than the limit at once, and no others', async () => {
    await targets()
    await add(SHOP, 1, 2, 3, 4)
    for (const n of [1, 2, 3]) await park(n)
    expect(await deliveries.prune(Date.now() - LONG, 9)).toBe(0)
    const prune = () => deliveries.prune(Date.now() + LONG, 2)
    expect([await prune(), await prune()]).toEqual([2, 1])
    expect(positions(await itemsOf())).toEqual([4])
  })

  describe('knows what there is to do', () => {
    const happen = (subject: string) =>
      run(async ({ events }) => {
        await events.append(anEvent(subject, { at: Date.now() - LONG }))
        await events.number(1)
      })
    const caughtUp = (webhook: typeof SHOP, changes: Partial<WebhookProgress> = {}) =>
      run(async ({ events, webhookDeliveries }) => {
        const { items } = await events.list({ after: 0, limit: 200 })
        const cursor = items.at(-1)?.position ?? 0
        await webhookDeliveries.putProgress(webhook, { cursor, ...NOTHING_FAILED, ...changes })
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
      await add(SHOP, 1)
      expect(await due()).toEqual([SHOP])
      const [{ id } = { id: 0 }] = await claim()
      expect(await due()).toEqual([])
      await postpone(id, Date.now() + LONG)
      expect(await due()).toEqual([])
    })

    it('not where an earlier event of its subject is in hand or waits, unless that is parked', async () => {
      await targets()
      await add(SHOP, anEventAt(1, { subject: 'ada' }), anEventAt(2, { subject: 'ada' }))
      const nothing = async () => expect([await due(), (await health()).dueSince]).toEqual([[], undefined])
      const [{ id } = { id: 0 }] = await claim()
      await nothing()
      await postpone(id, Date.now() + LONG)
      await nothing()
      await add(SHOP, anEventAt(3, { subject: 'brian' }))
      expect(await due()).toEqual([SHOP])
      await deliveries.retry(id)
      await claim()
      await deliveries.giveBack('w', [toPark(id, 'no')])
      expect(await due()).toEqual([SHOP])
    })

    it('stretch by stretch, so that none is passed over because others have waited for longer, and always do', async () => {
      const names = upTo(5).map((n) => webhookName(`t${n}`))
      await runEach(names, ({ webhooks }, name) => webhooks.put(aWebhook(name)))
      for (const name of names) await add(name, 1, 2)
      await deliveries.claim({ webhook: webhookName('t2'), owner: 'w', limit: 9, leaseFor: LONG })
      const found = names.filter((name) => name !== 't2')
      expect(await due()).toEqual(found)
      const first = await duePage({ after: 0, limit: 2 })
      expect(first.items).toEqual(found.slice(0, 2))
      // What is due to those, still or again, is no reason to begin with them once more.
      await add(webhookName('t1'), 3)
      expect(await duePage({ after: first.next ?? 0, limit: 2 })).toEqual({ items: found.slice(2), next: undefined })
    })

    it('not for a target that is disabled or resting', async () => {
      await targets({ disabled: { because: 'by-hand', since: 1 } })
      await happen('a')
      await add(SHOP, 1)
      expect(await due()).toEqual([CRM])
      await caughtUp(CRM, { pausedUntil: Date.now() + LONG })
      await happen('b')
      expect(await due()).toEqual([])
      expect(await health()).toEqual({ parked: false, dueSince: undefined })
      await caughtUp(CRM, { pausedUntil: Date.now() - 1 })
      await happen('c')
      expect(await due()).toEqual([CRM])
    })

    it('since when, and whether a person is waited for', async () => {
      await targets()
      await happen('a')
      const since = (await health()).dueSince ?? 0
      expect(since).toBeLessThan(Date.now() - LONG / 2)
      const restedUntil = since + 1_000
      for (const webhook of [SHOP, CRM])
        await run(({ webhookDeliveries }) =>
          webhookDeliveries.putProgress(webhook, { cursor: 0, ...NOTHING_FAILED, pausedUntil: restedUntil }),
        )
      expect((await health()).dueSince).toBe(restedUntil)
      for (const webhook of [SHOP, CRM]) await caughtUp(webhook)
      await add(SHOP, 1)
      expect((await health()).dueSince).toBeGreaterThan(since)
      await park(1)
      expect(await health()).toEqual({ parked: true, dueSince: undefined })
      await webhooks.remove(SHOP)
      expect((await health()).parked).toBe(false)
      await webhooks.put(aWebhook('crm', { disabled: { because: 'failing', since: 1 } }))
      expect((await health()).parked).toBe(true)
    })
  })

  it('keeps nothing of a unit that throws', async () => {
    await targets()
    await add(SHOP, 1)
    await undone(async ({ webhookDeliveries }) => {
      await webhookDeliveries.add(SHOP, [anEventAt(2)])
      await webhookDeliveries.claim({ webhook: SHOP, owner: 'w', limit: 9, leaseFor: LONG })
      await webhookDeliveries.putProgress(SHOP, { cursor: 99, failures: 9, failingSince: 9, pausedUntil: 9 })
    })
    expect((await deliveries.progress(SHOP))?.cursor).toBe(0)
    expect(await claim()).toMatchObject([{ attempts: 1, event: { position: 1 } }])
  })
})
