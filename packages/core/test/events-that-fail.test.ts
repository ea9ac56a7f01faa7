import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, putUser } from './cast.ts'
import { BUSY, deliverEvents, deliveriesOf, failing, failWith, heal, withWebhook, work } from './webhooks.ts'

describe('an event that its target does not take', () => {
  it('does not make the later ones of its subject look overdue', async () => {
    const { at } = await withWebhook()
    for (const name of ['one', 'two']) await putUser(at, 'ada', [], name)
    failWith(at, BUSY)
    await deliverEvents(at)
    at.clock.advance(SECOND)
    expect((await at.storage.readers.webhookDeliveries.health()).dueSince).toBeUndefined()
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
