import { expect, it } from 'vitest'
import { MemoryClock } from '../memory/memory-environment.ts'
import { MEMORY_SETTINGS, memoryPorts } from '../memory/memory-service.ts'
import { createUseCases, DAY, HOUR, operator } from '../src/index.ts'
import { type FreshStorage, storageSuite } from './storage-under-test.ts'

const SOURCE = { via: 'form', clientAddress: undefined, userAgent: undefined }
const ADMIN = operator('tester')

/** The whole service over the storage under test; its clock stands a month behind, as leases go by the storage's. */
const serviceOver = ({ unitOfWork, readers }: Pick<FreshStorage, 'unitOfWork' | 'readers'>) => {
  const ports = memoryPorts(new MemoryClock(Date.now() - 30 * DAY))
  const useCases = createUseCases({ ...ports, unitOfWork, readers }, MEMORY_SETTINGS)
  const kinds = async () => {
    await useCases.deliverOutbox.execute({ limit: 100 })
    return ports.transport.mails.map(({ kind }) => kind)
  }
  return { ...ports, useCases, kinds }
}

export const remindingContract = storageSuite('reminders', (storage) => {
  const asked = async () => {
    const service = serviceOver(storage)
    await service.useCases.patchFeed.execute({ name: 'default', remindAfter: '2d' }, ADMIN)
    const { id } = await service.useCases.subscribe.execute({ email: 'ada@example.com', source: SOURCE })
    await service.kinds()
    return { ...service, id }
  }

  it('follow once, with the same link, although several instances look for them at the same time', async () => {
    const { useCases, clock, kinds, transport } = await asked()
    clock.advance(2 * DAY - 1)
    expect(await useCases.queueReminders.execute()).toEqual({ queued: 0, more: false })
    clock.advance(1)
    const reports = await Promise.all(Array.from({ length: 4 }, () => useCases.queueReminders.execute()))
    expect(reports.reduce((sum, { queued }) => sum + queued, 0)).toBe(1)
    expect(await kinds()).toEqual(['confirmation', 'reminder'])
    const [first, second] = transport.mails
    expect(second?.links).toEqual(first?.links)
    expect(second?.messageId).not.toBe(first?.messageId)
    clock.advance(3 * DAY)
    expect(await useCases.queueReminders.execute()).toEqual({ queued: 0, more: false })
  })

  it('are withdrawn with the subscription, and are not planned where the feed has none', async () => {
    const { useCases, clock, id } = await asked()
    expect(await storage.readers.reminders.find(id)).toMatchObject({ id, remindAt: clock.now() + 2 * DAY })
    await useCases.eraseSubscription.execute({ subscriptionId: String(id) }, ADMIN)
    expect(await storage.readers.reminders.find(id)).toBeUndefined()
    await useCases.putFeed.execute({ name: 'plain' }, ADMIN)
    clock.advance(HOUR)
    const other = await useCases.subscribe.execute({ email: 'bob@example.com', feed: 'plain', source: SOURCE })
    await useCases.deliverOutbox.execute({ limit: 100 })
    expect(await storage.readers.reminders.find(other.id)).toBeUndefined()
    clock.advance(2 * DAY)
    expect(await useCases.queueReminders.execute()).toEqual({ queued: 0, more: false })
  })
})
