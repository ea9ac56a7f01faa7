import { expect, it } from 'vitest'
import { DAY } from '../src/index.ts'
import { storageSuite } from './storage-under-test.ts'
import { OPERATOR, SOURCE, wholeServiceOver } from './whole-service.ts'

export const remindingContract = storageSuite('reminders', (storage) => {
  it('follow once, with the same link, although several instances look for them at the same time', async () => {
    const { useCases, clock, deliver, transport } = wholeServiceOver(storage)
    await useCases.patchFeed.execute({ name: 'default', remindAfter: '2d' }, OPERATOR)
    await useCases.subscribe.execute({ email: 'ada@example.com', source: SOURCE })
    await deliver()
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
})
