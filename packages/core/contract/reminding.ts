import { expect, it } from 'vitest'
import { DAY, HOUR, type SubscriptionId } from '../src/index.ts'
import { storageSuite } from './storage-under-test.ts'
import { OPERATOR, SOURCE, wholeServiceOver } from './whole-service.ts'

export const remindingContract = storageSuite('reminders', (storage) => {
  const asked = async () => {
    const service = wholeServiceOver(storage)
    await service.useCases.patchFeed.execute({ name: 'default', remindAfter: '2d' }, OPERATOR)
    const { id } = await service.useCases.subscribe.execute({ email: 'ada@example.com', source: SOURCE })
    await service.deliver()
    return { ...service, id }
  }
  const planned = (id: SubscriptionId) => storage.unitOfWork.run(({ reminders }) => reminders.find(id))

  it('follow once, with the same link, although several instances look for them at the same time', async () => {
    const { useCases, clock, deliver, transport } = await asked()
    clock.advance(2 * DAY - 1)
    expect(await useCases.queueReminders.execute()).toEqual({ count: 0, more: false })
    clock.advance(1)
    const reports = await Promise.all(Array.from({ length: 4 }, () => useCases.queueReminders.execute()))
    expect(reports.reduce((sum, { count }) => sum + count, 0)).toBe(1)
    await deliver()
    expect(transport.mails.map(({ kind }) => kind)).toEqual(['confirmation', 'reminder'])
    const [first, second] = transport.mails
    expect(second?.links).toEqual(first?.links)
    expect(second?.messageId).not.toBe(first?.messageId)
    clock.advance(3 * DAY)
    expect(await useCases.queueReminders.execute()).toEqual({ count: 0, more: false })
  })

  it('are withdrawn with the subscription, and are not planned where the feed has none', async () => {
    const { useCases, clock, deliver, id } = await asked()
    expect(await planned(id)).toMatchObject({ id, remindAt: clock.now() + 2 * DAY })
    await useCases.eraseSubscription.execute({ subscriptionId: String(id) }, OPERATOR)
    expect(await planned(id)).toBeUndefined()
    await useCases.putFeed.execute({ name: 'plain' }, OPERATOR)
    clock.advance(HOUR)
    const other = await useCases.subscribe.execute({ email: 'bob@example.com', feed: 'plain', source: SOURCE })
    await deliver()
    expect(await planned(other.id)).toBeUndefined()
    clock.advance(2 * DAY)
    expect(await useCases.queueReminders.execute()).toEqual({ count: 0, more: false })
  })
})
