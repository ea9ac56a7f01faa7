import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND, SYSTEM, WebhookGone, WebhookRefused } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, putUser, type Service } from './cast.ts'
import { deliverEvents, deliveriesOf, failWith, heal, progressOf, putWebhook, SHOP, withWebhook } from './webhooks.ts'

const BUSY = new WebhookRefused('The target answered 500.')
const get = ({ useCases }: Service) => useCases.getWebhook.execute({ name: SHOP }, ADMIN)

const failing = async (error: unknown = BUSY, users = ['ada']) => {
  const { at } = await withWebhook()
  for (const user of users) await putUser(at, user)
  failWith(at, error)
  return at
}

/** As the worker does, for so long. */
const work = async (at: Service, milliseconds: number, step = 5 * MINUTE) => {
  const failures = []
  for (let passed = 0; passed < milliseconds; passed += step) {
    failures.push(...(await deliverEvents(at)).failures)
    at.clock.advance(step)
  }
  return failures
}

describe('an event that its target does not take', () => {
  it('is tried again, after longer and longer, at most an hour', async () => {
    const at = await failing()
    const waits: number[] = []
    for (let n = 0; n < 14; n++) {
      expect((await deliverEvents(at)).failures).toMatchObject([{ parked: false, disabled: undefined }])
      const [queued] = await deliveriesOf(at)
      expect(queued).toMatchObject({ attempts: n + 1, lastError: 'The target answered 500.' })
      waits.push((queued?.notBefore ?? 0) - at.clock.now())
      at.clock.advance(Math.max(waits.at(-1) ?? 0, MINUTE))
    }
    for (const [n, wait] of waits.entries()) {
      const longest = Math.min(HOUR, 5 * SECOND * 2 ** n)
      expect(wait).toBeGreaterThanOrEqual(longest / 2)
      expect(wait).toBeLessThanOrEqual(longest)
    }
    heal(at)
    expect((await deliverEvents(at)).sent).toBe(1)
    expect(await progressOf(at)).toEqual({ cursor: 1, failures: 0, failingSince: undefined, pausedUntil: 0 })
  })

  it('is tried no sooner than the target asks, and no later than in an hour or so', async () => {
    for (const [asked, wait] of [
      [20 * MINUTE, 20 * MINUTE],
      [30 * DAY, HOUR],
    ] as const) {
      const at = await failing(new WebhookRefused('The target answered 429.', { retryAfter: asked }))
      await deliverEvents(at)
      expect((await deliveriesOf(at))[0]?.notBefore).toBe(at.clock.now() + wait)
    }
  })

  it('holds up the later ones of its subject, and no others', async () => {
    const { at } = await withWebhook()
    for (const name of ['one', 'two']) await putUser(at, 'ada', [], name)
    await putUser(at, 'brian')
    at.webhookTransport.otherSide = async ({ body }) => {
      if (body.includes('"subject":"ada"')) throw BUSY
    }
    expect(await deliverEvents(at)).toMatchObject({ sent: 1, failures: [{ delivery: { event: { position: 1 } } }] })
    expect((await deliveriesOf(at)).map(({ event, attempts }) => [event.position, attempts])).toEqual([
      [1, 1],
      [2, 0],
    ])
  })

  it('is given up after two days, and then the later ones of its subject go on', async () => {
    const { at } = await withWebhook()
    for (const name of ['one', 'two']) await putUser(at, 'ada', [], name)
    at.webhookTransport.otherSide = async ({ body }) => {
      if (JSON.parse(body).type === 'user.created') throw BUSY
    }
    const failures = await work(at, 2 * DAY + 2 * HOUR)
    expect(failures.at(-1)).toMatchObject({ parked: true, disabled: undefined })
    expect(failures.filter(({ parked }) => parked)).toHaveLength(1)
    expect(await deliveriesOf(at)).toMatchObject([{ event: { position: 1 }, lastError: 'The target answered 500.' }])
    expect(at.webhookTransport.messages).toHaveLength(1)
    const { items } = await at.useCases.listUndeliveredEvents.execute({ parked: true }, AUDITOR)
    expect(items).toHaveLength(1)
    expect(await at.useCases.checkReadiness.execute()).toMatchObject({ ready: true, outbox: 'parked' })
  })

  it('is sent at once when a person asks for it, which is recorded where there is such an event', async () => {
    const at = await failing()
    await deliverEvents(at)
    const [{ id } = { id: 0 }] = await deliveriesOf(at)
    heal(at)
    expect((await deliverEvents(at)).sent).toBe(0)
    const retry = (one: number, who = ADMIN) => at.useCases.retryEvent.execute({ id: one }, who)
    expect([await retry(id), await retry(id + 1)]).toEqual([true, false])
    expect((await deliverEvents(at)).sent).toBe(1)
    expect((await auditOf(at)).slice(-1)).toMatchObject([{ action: 'outbox.retry', target: `event ${id}` }])
    await expect(retry(id, AUDITOR)).rejects.toThrow('admin')
  })

  it('is forgotten a month after it was given up', async () => {
    const at = await failing()
    await work(at, 2 * DAY + 2 * HOUR, HOUR)
    expect(await deliveriesOf(at)).toHaveLength(1)
    heal(at)
    at.clock.advance(31 * DAY)
    while ((await at.useCases.expireSubscriptions.execute()).more);
    expect(await deliveriesOf(at)).toEqual([])
  })
})

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
    expect((await get(at)).disabled).toBeUndefined()
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
    expect((await get(at)).disabled).toBeUndefined()
    expect((await work(at, 2 * HOUR)).at(-1)).toMatchObject({ disabled: 'failing' })
    const since = (await get(at)).disabled?.since
    expect((await get(at)).disabled).toEqual({ because: 'failing', since })
    expect((await auditOf(at)).at(-1)).toMatchObject({
      ...{ action: 'webhook.disable', target: SHOP, actor: SYSTEM.id, reason: 'failing' },
    })
    expect(await work(at, HOUR)).toEqual([])
    expect(await at.useCases.checkReadiness.execute()).toMatchObject({ ready: true, outbox: 'parked' })
  })

  it('is not disabled for one failure after a long time without any event', async () => {
    const at = await failing()
    await work(at, 2 * DAY + 2 * HOUR)
    at.clock.advance(8 * DAY)
    await putUser(at, 'brian')
    expect((await deliverEvents(at)).failures).toMatchObject([{ disabled: undefined }])
    expect(await progressOf(at)).toMatchObject({ failures: 1, failingSince: at.clock.now() })
  })

  it('is not disabled for the second failure after the service was off for days', async () => {
    const at = await failing()
    await deliverEvents(at)
    at.clock.advance(4 * DAY)
    expect((await deliverEvents(at)).failures).toMatchObject([{ disabled: undefined }])
  })

  it('loses nothing by it: once enabled again it is sent what has waited, and what happened meanwhile', async () => {
    const at = await failing(new WebhookGone('gone'), ['ada', 'brian'])
    expect((await deliverEvents(at)).failures.filter(({ disabled }) => disabled)).toMatchObject([
      { disabled: 'gone', parked: false },
    ])
    expect((await get(at)).disabled?.because).toBe('gone')
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
    expect((await deliverEvents(at)).failures).toMatchObject([{ parked: false, disabled: undefined }])
    expect(await deliveriesOf(at)).toEqual([])
  })
})

describe('readiness', () => {
  it('is over where events are due for a minute, and no worker takes them', async () => {
    const at = await failing()
    heal(at)
    await at.useCases.sealer.seal()
    expect((await at.useCases.checkReadiness.execute()).outbox).toBe('ok')
    at.clock.advance(2 * MINUTE)
    expect(await at.useCases.checkReadiness.execute()).toEqual({ ready: false, storage: 'ok', outbox: 'stuck' })
    await deliverEvents(at)
    expect((await at.useCases.checkReadiness.execute()).outbox).toBe('ok')
  })
})
