import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND, SYSTEM, WebhookGone, WebhookRefused } from '../src/index.ts'
import { ADMIN, auditOf, putUser, type Service } from './cast.ts'
import {
  BUSY,
  deliverEvents,
  deliveriesOf,
  failing,
  getWebhook,
  heal,
  progressOf,
  putWebhook,
  SHOP,
  work,
} from './webhooks.ts'

describe('a target that fails again and again', () => {
  const many = Array.from({ length: 40 }, (_, n) => `u${n}`)

  it('is left in peace but for one try at a time, at least once a minute', async () => {
    const at = await failing(BUSY, many)
    let tries = 0
    at.webhookTransport.otherSide = async () => {
      tries++
      throw BUSY
    }
    await deliverEvents(at)
    const atOnce = tries
    expect(atOnce).toBeLessThanOrEqual(at.webhookTransport.concurrency)
    await work(at, HOUR, SECOND)
    expect(tries - atOnce).toBeGreaterThanOrEqual(60)
    expect(tries - atOnce).toBeLessThanOrEqual(140)
  })

  it('is sent everything as soon as it takes one again', async () => {
    const at = await failing(BUSY, many)
    await work(at, 30 * MINUTE, 10 * SECOND)
    heal(at)
    await work(at, 2 * HOUR, 10 * SECOND)
    expect(at.webhookTransport.messages).toHaveLength(40)
    expect((await progressOf(at))?.failures).toBe(0)
  })

  it('is not held up by events that it does not take, however many', async () => {
    const at = await failing(
      BUSY,
      Array.from({ length: 300 }, (_, n) => `u${n}`),
    )
    at.webhookTransport.otherSide = async ({ body }) => {
      if (!body.includes('"subject":"good"')) throw new WebhookRefused('The target answered 400.', { status: 400 })
    }
    await putUser(at, 'good')
    await work(at, MINUTE, 10 * SECOND)
    expect(at.webhookTransport.messages).toHaveLength(1)
    await work(at, 4 * DAY, 3 * HOUR)
    expect((await getWebhook(at)).disabled).toBeUndefined()
  })

  it('is seen to fail if it refuses all, as with a token that has expired, until it takes one', async () => {
    const at = await failing(new WebhookRefused('The target answered 401.', { status: 401 }), ['ada'])
    const failingAt = async () => (await at.useCases.listFailingWebhooks.execute({}, ADMIN)).get(SHOP)
    const since = at.clock.now()
    await work(at, HOUR, SECOND)
    await putUser(at, 'brian')
    await work(at, HOUR, SECOND)
    expect(await failingAt()).toBe(since)
    expect((await at.useCases.checkReadiness.execute()).outbox).toBe('failing')
    heal(at)
    await putUser(at, 'carol')
    await work(at, MINUTE, SECOND)
    expect(await failingAt()).toBeUndefined()
  })

  it('finds an event that it takes among those that make it fail', async () => {
    const at = await failing(
      BUSY,
      Array.from({ length: 120 }, (_, n) => `u${n}`),
    )
    at.webhookTransport.otherSide = async ({ body }) => {
      if (!body.includes('"subject":"good"')) throw BUSY
    }
    await putUser(at, 'good')
    await work(at, 4 * HOUR, 30 * SECOND)
    expect(at.webhookTransport.messages).toHaveLength(1)
  })

  it('is disabled after three days without any success, by the service, which is recorded', async () => {
    const at = await failing(BUSY, many)
    await work(at, 2 * DAY)
    await putUser(at, 'late')
    await work(at, 1 * DAY)
    expect((await getWebhook(at)).disabled).toBeUndefined()
    expect((await work(at, 2 * HOUR)).at(-1)).toMatchObject({ disabled: 'failing' })
    const since = (await getWebhook(at)).disabled?.since
    expect((await getWebhook(at)).disabled).toEqual({ because: 'failing', since })
    expect((await auditOf(at)).at(-1)).toMatchObject({
      ...{ action: 'webhook.disable', target: SHOP, actor: SYSTEM.id, reason: 'failing' },
    })
    expect(await work(at, HOUR)).toEqual([])
    expect(await at.useCases.checkReadiness.execute()).toMatchObject({ ready: true, outbox: 'parked' })
  })

  it('loses nothing by it: once enabled again it is sent what has waited, and what happened meanwhile', async () => {
    const at = await failing(new WebhookGone('gone'), ['ada', 'brian'])
    expect((await deliverEvents(at)).failures.filter(({ disabled }) => disabled)).toMatchObject([
      { disabled: 'gone', parked: false },
    ])
    expect((await getWebhook(at)).disabled?.because).toBe('gone')
    await putUser(at, 'carol')
    heal(at)
    expect(await work(at, DAY, HOUR)).toEqual([])
    expect(at.webhookTransport.messages).toEqual([])
    await putWebhook(at)
    expect((await deliverEvents(at)).sent).toBe(3)
    expect(await at.useCases.checkReadiness.execute()).toMatchObject({ outbox: 'ok' })
  })

  it('costs another target nothing', async () => {
    const at = await failing(BUSY, many)
    await putWebhook(at, { name: 'crm', url: 'https://crm.example/' })
    at.webhookTransport.otherSide = async ({ url }) => {
      if (!url.includes('crm')) throw BUSY
    }
    await putUser(at, 'late')
    await deliverEvents(at)
    expect(at.webhookTransport.messages).toHaveLength(1)
  })

  it('may be deleted while an event is on its way to it', async () => {
    const at = await failing()
    at.webhookTransport.otherSide = async () => {
      await at.useCases.deleteWebhook.execute({ name: SHOP }, ADMIN)
      throw BUSY
    }
    expect((await deliverEvents(at)).failures).toEqual([])
    expect(await deliveriesOf(at)).toEqual([])
  })
})

describe('a request that was begun before its target was changed', () => {
  const NEW = 'https://shop.example/new'
  const endedAfter = async (change: (at: Service) => Promise<unknown>, error: unknown) => {
    const at = await failing(error)
    at.webhookTransport.otherSide = async ({ url }) => {
      if (url === NEW) return
      at.webhookTransport.otherSide = async () => undefined
      at.clock.advance(SECOND)
      await change(at)
      if (error !== undefined) throw error
    }
    await deliverEvents(at)
    return at
  }
  const anotherUrl = (at: Service) => putWebhook(at, { url: NEW })

  it('leaves its event to the new URL, unless it was taken', async () => {
    const failed = await endedAfter(anotherUrl, BUSY)
    expect(failed.webhookTransport.messages.map(({ url }) => url)).toEqual([NEW])
    const taken = await endedAfter(anotherUrl, undefined)
    await work(taken, MINUTE, SECOND)
    expect(taken.webhookTransport.messages.map(({ url }) => url)).not.toContain(NEW)
    expect(await deliveriesOf(taken)).toEqual([])
  })

  it('leaves nothing waiting that the old URL did not take', async () => {
    const at = await failing(BUSY, ['a', 'b', 'c', 'd', 'e', 'f'])
    await work(at, 6 * HOUR)
    heal(at)
    await at.useCases.patchWebhook.execute({ name: SHOP, url: NEW }, ADMIN)
    expect((await deliverEvents(at)).sent).toBe(6)
  })

  it('leaves no rest that the old URL asked for', async () => {
    const at = await failing(new WebhookRefused('It is busy.', { status: 429, retryAfter: HOUR }), ['a', 'b'])
    const busy = at.webhookTransport.otherSide
    at.webhookTransport.otherSide = async (message) => {
      if (message.url !== NEW && !message.body.includes('"subject":"a"')) await busy(message)
    }
    await deliverEvents(at)
    await anotherUrl(at)
    expect((await deliverEvents(at)).sent).toBe(1)
  })
})

describe('a clock that was ahead and is set back', () => {
  it('leaves neither an event nor its target waiting until then', async () => {
    const at = await failing(BUSY, ['a', 'b', 'c', 'd', 'e', 'f'])
    at.clock.advance(365 * DAY)
    await deliverEvents(at)
    at.clock.advance(-365 * DAY)
    heal(at)
    await at.useCases.rescheduleOutbox.execute({ setBack: true })
    expect((await deliverEvents(at)).sent).toBe(6)
  })
})
