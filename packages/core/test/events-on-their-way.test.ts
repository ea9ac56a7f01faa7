import { describe, expect, it } from 'vitest'
import { DELIVERY_LEASE } from '../src/index.ts'
import { breakStorage, down, loseAnswers, STORAGE_DOWN } from './broken-storage.ts'
import { putUser, type Service } from './cast.ts'
import { deliverEvents, deliveriesOf, eventsSent, heal, withWebhook } from './webhooks.ts'

const withEvent = async (): Promise<Service> => {
  const { at } = await withWebhook()
  await putUser(at, 'ada')
  return at
}

/** It is taken by its target, and storage is away then; gives back how to repair that. */
const withEventThatCannotBeWrittenDown = async () => {
  const at = await withEvent()
  let repair = (): void => undefined
  at.webhookTransport.otherSide = async () => {
    repair = breakStorage(at)
  }
  await expect(deliverEvents(at)).rejects.toThrow(STORAGE_DOWN)
  return { at, repair }
}

describe('an event on its way', () => {
  it('is written down later, and sent once, if what became of it could not be written down at once', async () => {
    const { at, repair } = await withEventThatCannotBeWrittenDown()
    await expect(deliverEvents(at)).rejects.toThrow(STORAGE_DOWN)
    repair()
    heal(at)
    expect(await deliverEvents(at)).toMatchObject({ sent: 1 })
    expect(await deliveriesOf(at)).toEqual([])
    expect(eventsSent(at)).toHaveLength(1)
  })

  it('is reported beside the trouble that another one had', async () => {
    const at = await withEvent()
    const { users } = at.storage.readers
    at.webhookTransport.otherSide = async () => {
      await putUser(at, 'brian')
      await at.useCases.sealer.seal()
      Object.assign(at.storage.readers, { users: { ...users, find: down } })
    }
    await at.useCases.deliverEvents.advance({})
    expect(await at.useCases.deliverEvents.finish()).toEqual({ sent: 1, failures: [], trouble: STORAGE_DOWN })
  })

  it('is written down at the latest when all comes to an end', async () => {
    const { at, repair } = await withEventThatCannotBeWrittenDown()
    repair()
    expect(await at.useCases.deliverEvents.finish()).toMatchObject({ sent: 1 })
    expect(await deliveriesOf(at)).toEqual([])
  })

  it('is due again after its lease if it was claimed and the answer was lost, however often leases are renewed', async () => {
    const at = await withEvent()
    await at.useCases.sealer.seal()
    const repair = loseAnswers(at)
    await expect(deliverEvents(at)).rejects.toThrow('the answer was lost')
    repair()
    expect((await deliverEvents(at)).sent).toBe(0)
    at.clock.advance(DELIVERY_LEASE / 2)
    await at.useCases.deliverEvents.renewLeases()
    at.clock.advance(DELIVERY_LEASE / 2)
    expect((await deliverEvents(at)).sent).toBe(1)
  })

  it('is given back, untried, if what it says could not be looked up', async () => {
    const at = await withEvent()
    const { users } = at.storage.readers
    Object.assign(at.storage.readers, { users: { ...users, find: down } })
    await expect(deliverEvents(at)).rejects.toThrow(STORAGE_DOWN)
    expect(await deliveriesOf(at)).toMatchObject([{ attempts: 0 }])
    Object.assign(at.storage.readers, { users })
    expect((await deliverEvents(at)).sent).toBe(1)
  })
})
