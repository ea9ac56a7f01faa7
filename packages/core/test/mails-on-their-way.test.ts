import { describe, expect, it } from 'vitest'
import { DELIVERY_LEASE, HOUR } from '../src/index.ts'
import { breakStorage, down, loseAnswers, STORAGE_DOWN } from './broken-storage.ts'
import { ADMIN, confirm, deliver, mailedToken, mailsOf, outboxOf, refuse, subscribe, unsubscribe } from './cast.ts'
import { anotherWorker, EMAIL, erase, heal, kept, REFUSED, withMail } from './deliveries.ts'

describe('a mail that has nothing to say any more', () => {
  it('is not sent if its subscription was erased while the transport made itself ready', async () => {
    const { at, id } = await withMail()
    at.transport.ready = () => erase(at, id)
    expect(await deliver(at)).toEqual({ claimed: 1, sent: 0, failures: [] })
    expect([mailsOf(at), await outboxOf(at)]).toEqual([[], []])
  })

  it('is dropped when its address was refused on another feed', async () => {
    const { at } = await withMail()
    const token = await mailedToken(at, 'refuse')
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    at.clock.advance(HOUR)
    await subscribe(at, EMAIL, { feed: 'news' })
    await refuse(at, token)
    expect(await deliver(at)).toEqual({ claimed: 1, sent: 0, failures: [] })
    expect(mailsOf(at)).toHaveLength(1)
  })
})

describe('a mail on its way', () => {
  it('is forgotten by the transport if its subscription was erased meanwhile', async () => {
    const { at, id } = await withMail()
    at.transport.otherSide = () => erase(at, id)
    expect((await deliver(at)).sent).toBe(1)
    expect(mailsOf(at)).toEqual([])
    expect(await kept(at, id)).toEqual([])
  })

  it('is not tried again if its subscription was erased or ended meanwhile', async () => {
    const { at, id } = await withMail()
    at.transport.otherSide = async () => {
      await erase(at, id)
      throw new Error('busy')
    }
    expect((await deliver(at)).failures).toHaveLength(1)
    expect(await outboxOf(at)).toEqual([])
    const { at: there } = await withMail()
    there.transport.otherSide = async ({ links }) => {
      await unsubscribe(there, (links.unsubscribe ?? '').split('/').at(-1) ?? '')
      throw REFUSED
    }
    await deliver(there)
    expect(await outboxOf(there)).toEqual([])
  })

  it('is not remembered where the transport keeps nothing', async () => {
    const { at, id } = await withMail()
    Object.assign(at.transport, { keepsMails: false })
    expect((await deliver(at)).sent).toBe(1)
    expect(await kept(at, id)).toEqual([])
  })

  it('is sent by one of two workers only, as long as its lease is renewed', async () => {
    const { at } = await withMail()
    const other = anotherWorker(at)
    const claimedByOther: number[] = []
    at.transport.otherSide = async () => {
      for (let n = 0; n < 3; n++) {
        at.clock.advance(DELIVERY_LEASE - 1)
        await at.useCases.deliverOutbox.renewLeases()
        claimedByOther.push((await other.execute({ limit: 9 })).claimed)
      }
    }
    await deliver(at)
    expect(claimedByOther).toEqual([0, 0, 0])
  })

  it('is taken over by another worker once its lease has run out, as the same message', async () => {
    const { at } = await withMail()
    const other = anotherWorker(at)
    let first = true
    const seen: string[] = []
    at.transport.otherSide = async ({ messageId }) => {
      seen.push(messageId)
      if (!first) return
      first = false
      at.clock.advance(DELIVERY_LEASE)
      expect(await other.execute({ limit: 9 })).toMatchObject({ claimed: 1, sent: 1 })
      throw new Error('too late')
    }
    await deliver(at)
    expect(new Set(seen).size).toBe(1)
    expect(seen).toHaveLength(2)
    expect(await outboxOf(at)).toEqual([])
  })

  it('is written down later, and sent once, if what became of it could not be written down at once', async () => {
    const { at } = await withMail()
    let repair = (): void => undefined
    at.transport.otherSide = async () => {
      repair = breakStorage(at)
    }
    await expect(deliver(at)).rejects.toThrow(STORAGE_DOWN)
    await expect(deliver(at)).rejects.toThrow(STORAGE_DOWN)
    repair()
    heal(at)
    expect(await deliver(at)).toMatchObject({ claimed: 0, sent: 1 })
    expect(await outboxOf(at)).toEqual([])
    expect(mailsOf(at)).toHaveLength(1)
  })

  it('is due again after its lease if it was claimed and the answer was lost, however often leases are renewed', async () => {
    const { at } = await withMail()
    const repair = loseAnswers(at)
    await expect(deliver(at)).rejects.toThrow('the answer was lost')
    repair()
    expect((await deliver(at)).claimed).toBe(0)
    at.clock.advance(DELIVERY_LEASE / 2)
    await at.useCases.deliverOutbox.renewLeases()
    at.clock.advance(DELIVERY_LEASE / 2)
    expect((await deliver(at)).sent).toBe(1)
  })

  it('is not begun if it was withdrawn while it waited for its turn', async () => {
    const { at, id } = await withMail('first@example.com')
    const { id: other } = await subscribe(at, 'second@example.com')
    let erased = false
    at.transport.ready = async () => {
      if (!erased) await Promise.all([id, other].map((each) => erase(at, each)))
      erased = true
    }
    expect(await deliver(at)).toMatchObject({ claimed: 2, sent: 0 })
    expect(mailsOf(at)).toEqual([])
  })

  it('is given back later if it could be neither begun nor given back', async () => {
    const { at } = await withMail()
    const { outbox } = at.storage.readers
    let repair = (): void => undefined
    at.transport.ready = async () => {
      repair = breakStorage(at)
      Object.assign(at.storage.readers, { outbox: { ...outbox, findMany: down } })
    }
    await expect(deliver(at)).rejects.toThrow(STORAGE_DOWN)
    repair()
    at.transport.ready = async () => undefined
    Object.assign(at.storage.readers, { outbox })
    expect(await deliver(at)).toMatchObject({ claimed: 1, sent: 1 })
    expect(await outboxOf(at)).toEqual([])
  })

  it('that confirms can be confirmed while it is sent', async () => {
    const { at } = await withMail()
    at.transport.otherSide = async ({ links }) => {
      await confirm(at, links.confirm?.split('/').at(-1) ?? '')
    }
    expect((await deliver(at)).sent).toBe(1)
    expect(await outboxOf(at)).toEqual([])
  })
})
