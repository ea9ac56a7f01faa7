import { describe, expect, it } from 'vitest'
import { LEASE } from '../src/index.ts'
import { putUser, type Service } from './cast.ts'
import { deliveriesOf, eventsSent, heal, withWebhook } from './webhooks.ts'

const withEvent = async (): Promise<Service> => {
  const { at } = await withWebhook()
  await putUser(at, 'ada')
  return at
}

const deliver = ({ useCases }: Service) => useCases.deliverEvents.execute()

const DOWN = new Error('storage down')
const down = () => Promise.reject(DOWN)

describe('an event on its way', () => {
  it('is written down later, and sent once, if what became of it could not be written down at once', async () => {
    const at = await withEvent()
    const { run } = at.storage.unitOfWork
    at.webhookTransport.otherSide = async () => {
      Object.assign(at.storage.unitOfWork, { run: down })
    }
    await expect(deliver(at)).rejects.toThrow(DOWN)
    await expect(deliver(at)).rejects.toThrow(DOWN)
    Object.assign(at.storage.unitOfWork, { run })
    heal(at)
    expect(await deliver(at)).toMatchObject({ moved: false, sent: 1 })
    expect(await deliveriesOf(at)).toEqual([])
    expect(eventsSent(at)).toHaveLength(1)
  })

  it('is written down at the latest when all comes to an end', async () => {
    const at = await withEvent()
    const { run } = at.storage.unitOfWork
    at.webhookTransport.otherSide = async () => {
      Object.assign(at.storage.unitOfWork, { run: down })
    }
    await expect(deliver(at)).rejects.toThrow(DOWN)
    Object.assign(at.storage.unitOfWork, { run })
    expect(await at.useCases.deliverEvents.finish()).toMatchObject({ sent: 1 })
    expect(await deliveriesOf(at)).toEqual([])
  })

  it('is due again after its lease if it was claimed and nobody was told, however often leases are renewed', async () => {
    const at = await withEvent()
    const { run } = at.storage.unitOfWork
    const lost: typeof run = async (work) => {
      await run(work)
      throw new Error('the answer was lost')
    }
    Object.assign(at.storage.unitOfWork, { run: lost })
    await expect(deliver(at)).rejects.toThrow('the answer was lost')
    Object.assign(at.storage.unitOfWork, { run })
    expect((await deliver(at)).sent).toBe(0)
    at.clock.advance(LEASE / 2)
    await at.useCases.deliverEvents.renewLeases()
    at.clock.advance(LEASE / 2)
    expect((await deliver(at)).sent).toBe(1)
  })

  it('is given back, untried, if what it says could not be looked up', async () => {
    const at = await withEvent()
    const { users } = at.storage.readers
    Object.assign(at.storage.readers, { users: { ...users, find: down } })
    await expect(deliver(at)).rejects.toThrow(DOWN)
    expect(await deliveriesOf(at)).toMatchObject([{ attempts: 0 }])
    Object.assign(at.storage.readers, { users })
    expect((await deliver(at)).sent).toBe(1)
  })
})
