import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { positionAt } from '../src/events/event-store.ts'
import {
  DAY,
  type DomainEvent,
  HOUR,
  InvalidInput,
  MalformedRequest,
  type RedeliverEventsCommand,
  WebhookNotFound,
} from '../src/index.ts'
import { ADMIN, putUser, type Service } from './cast.ts'
import { deliverEvents, deliveriesOf, eventsSent, failWith, heal, SHOP, withWebhook } from './webhooks.ts'

const redeliver = ({ useCases }: Service, command: Omit<RedeliverEventsCommand, 'name'>, name: string = SHOP) =>
  useCases.redeliverEvents.execute({ name, ...command }, ADMIN)

/** A target that was sent four events, a second apart. */
const delivered = async () => {
  const { at } = await withWebhook({ types: ['user.created', 'user.updated'] })
  for (const id of ['a', 'b', 'c', 'd']) {
    await putUser(at, id)
    at.clock.advance(1_000)
  }
  await deliverEvents(at)
  const before = eventsSent(at)
  at.webhookTransport.messages.length = 0
  return { at, before }
}

describe('redelivering events', () => {
  it('sends everything behind an event again, under the ids that they had', async () => {
    const { at, before } = await delivered()
    expect(await redeliver(at, { after: before[1].sequence })).toEqual({ webhook: SHOP, after: 2, retried: 0 })
    expect((await deliverEvents(at)).sent).toBe(2)
    expect(eventsSent(at)).toEqual(before.slice(2))
  })

  it('sends everything from a time on again', async () => {
    const { at, before } = await delivered()
    expect((await redeliver(at, { since: before[1].time })).after).toBe(1)
    await deliverEvents(at)
    expect(eventsSent(at)).toEqual(before.slice(1))
  })

  it('sends everything from the beginning again', async () => {
    const { at, before } = await delivered()
    await redeliver(at, { after: '0' })
    await deliverEvents(at)
    expect(eventsSent(at)).toEqual(before)
    expect((await redeliver(at, { since: '2020-01-01' })).after).toBe(0)
  })

  it('is due from then on: the age of what is sent again is no delay', async () => {
    const { at } = await delivered()
    const dueSince = async () => (await at.storage.readers.webhookDeliveries.health()).dueSince
    at.clock.advance(3 * DAY)
    await redeliver(at, { after: '0' })
    expect(await dueSince()).toBe(at.clock.now())
    await at.useCases.patchWebhook.execute({ name: SHOP, enabled: false }, ADMIN)
    expect(await dueSince()).toBeUndefined()
    at.clock.advance(3 * DAY)
    await at.useCases.patchWebhook.execute({ name: SHOP, enabled: true }, ADMIN)
    expect(await dueSince()).toBe(at.clock.now())
    at.clock.advance(3 * HOUR)
    expect(await dueSince()).toBe(at.clock.now() - 3 * HOUR)
    expect((await deliverEvents(at)).sent).toBe(4)
    expect(await dueSince()).toBeUndefined()
  })

  it('never goes ahead: an event that a target has not received yet comes in its turn', async () => {
    const { at } = await delivered()
    await putUser(at, 'e')
    for (const command of [{ after: '1295' }, { since: new Date(at.clock.now() + 1).toISOString() }])
      expect(await redeliver(at, command)).toEqual({ webhook: SHOP, after: undefined, retried: 0 })
    await deliverEvents(at)
    expect(eventsSent(at).map(({ subject }) => subject)).toEqual(['e'])
  })

  it('tries again what was given up, alone or with all else behind a place', async () => {
    for (const [command, retried, sent] of [
      [{ parked: true }, 1, 1],
      [{ after: '0' }, 0, 4],
    ] as const) {
      const { at } = await delivered()
      await redeliver(at, { after: '3' })
      failWith(at, new Error('busy'))
      await deliverEvents(at)
      const [{ id } = { id: 0 }] = await deliveriesOf(at)
      await at.storage.unitOfWork.run(async ({ webhookDeliveries }) => {
        await webhookDeliveries.retryAll(SHOP, { parked: false })
        await webhookDeliveries.claim({ webhook: SHOP, owner: 'w', limit: 1, leaseFor: 1 })
        await webhookDeliveries.giveBack('w', [{ id, notBefore: undefined, attempted: true, error: 'no' }])
      })
      heal(at)
      at.clock.advance(60_000)
      expect((await deliverEvents(at)).sent).toBe(0)
      expect((await redeliver(at, command)).retried).toBe(retried)
      expect((await deliverEvents(at)).sent).toBe(sent)
    }
  })

  it('takes one place, and nothing else', async () => {
    const { at } = await delivered()
    for (const command of [{}, { after: '1', parked: true }, { after: '1', since: '2026-01-01' }, { parked: false }])
      await expect(redeliver(at, command)).rejects.toThrow(InvalidInput)
    await expect(redeliver(at, { since: 'yesterday' })).rejects.toThrow(InvalidInput)
    await expect(redeliver(at, { after: '1-1' })).rejects.toThrow(MalformedRequest)
    await expect(redeliver(at, { after: '1' }, 'nobody')).rejects.toThrow(WebhookNotFound)
  })
})

describe('the position at a time', () => {
  const logOf = async (times: readonly number[], pruned = 0) => {
    const { storage } = openMemoryService()
    await storage.unitOfWork.run(async ({ events }) => {
      for (const at of times) await events.append({ type: 'user.created', subject: `${at}`, at } as DomainEvent)
      await events.number(times.length)
      if (pruned > 0) await events.prune(Number.MAX_SAFE_INTEGER, pruned)
    })
    return storage.readers.events
  }

  it('is before every event from then on, however many there are, and however many are gone', async () => {
    for (const length of [0, 1, 2, 3, 7, 8, 9, 40])
      for (const pruned of [0, 1, 5].filter((count) => count < length)) {
        const times = Array.from({ length }, (_, n) => 10 * (n + 1))
        const events = await logOf(times, pruned)
        for (let time = 0; time <= 10 * length + 11; time += 5) {
          const rest = (await events.list({ after: await positionAt(events, time), limit: 200 })).items
          expect(rest.map(({ at }) => at)).toEqual(times.slice(pruned).filter((at) => at >= time))
        }
      }
  })

  it('is before all of those that happened at the same moment', async () => {
    const events = await logOf([1, 5, 5, 5, 5, 9])
    expect([await positionAt(events, 5), await positionAt(events, 6)]).toEqual([1, 5])
  })

  it('is before the first of them also where one before it is behind: units that end in another order than they began', async () => {
    const far = Array.from({ length: 500 }, (_, n) => n)
    const times = [...far, 70_005, 70_004, 70_005, 70_005, 70_004, 70_005, 70_004, 70_006, 70_003, 90_000]
    const events = await logOf(times)
    for (const time of [70_003, 70_004, 70_005]) expect(await positionAt(events, time)).toBe(500)
    expect([await positionAt(events, 70_006), await positionAt(events, 90_001)]).toEqual([507, times.length])
  })
})
