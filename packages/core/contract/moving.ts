import { expect, it } from 'vitest'
import { MemoryClock } from '../memory/memory-environment.ts'
import { MEMORY_SETTINGS, memoryPorts } from '../memory/memory-service.ts'
import { createAllUseCases, DAY, LinkTokens, MINUTE, operator, UNDO_LIFE } from '../src/all.ts'
import { type StorageUnderTest, storageSuite } from './storage-under-test.ts'

const SOURCE = { via: 'link', clientAddress: undefined, userAgent: undefined }
const ADMIN = operator('tester')
const OLD = 'old@example.com'
const NEW = 'new@example.org'

/** The whole service over the storage under test; its clock stands a month behind, as leases go by the storage's. */
const serviceOver = ({ unitOfWork, readers }: Pick<StorageUnderTest, 'unitOfWork' | 'readers'>) => {
  const ports = memoryPorts(new MemoryClock(Date.now() - 30 * DAY))
  const useCases = createAllUseCases({ ...ports, unitOfWork, readers }, MEMORY_SETTINGS)
  const linkIn = async (name: 'confirm' | 'preferences' | 'move' | 'undo'): Promise<string> => {
    await useCases.deliverOutbox.execute({ limit: 100 })
    const link = ports.transport.mails.findLast(({ links }) => links[name])?.links[name] ?? ''
    return link.slice(link.lastIndexOf('/') + 1)
  }
  const only = async (email: string) => (await useCases.listSubscriptions.execute({ email }, ADMIN)).items[0]
  /** The token of the link that moves a confirmed subscription of the old address. */
  const askToMove = async (from = OLD, to = NEW): Promise<string> => {
    await useCases.subscribe.execute({ email: from, source: SOURCE })
    await useCases.confirmSubscription.execute({ token: await linkIn('confirm'), source: SOURCE })
    ports.clock.advance(10 * MINUTE)
    await useCases.requestPreferences.execute({ email: from })
    await useCases.requestMove.execute({ token: await linkIn('preferences'), email: to })
    return await linkIn('move')
  }
  const move = async (from = OLD, to = NEW) => {
    await useCases.carryOutMove.execute({ token: await askToMove(from, to), source: SOURCE })
    return { old: await only(from), made: await only(to) }
  }
  const unsubscribe = async (id: number) => {
    const token = new LinkTokens(ports.digests).sign('unsubscribe', { id, episode: '', expiresAt: undefined })
    await useCases.endSubscription.execute({ token, source: SOURCE })
  }
  return { ...ports, useCases, linkIn, only, askToMove, move, unsubscribe }
}

export const movingContract = storageSuite('addresses that are changed', (storage) => {
  it('confirms under a new id, ends the old one, and says what it has become', async () => {
    const { move } = serviceOver(storage)
    const { old, made } = await move()
    expect(made).toMatchObject({ email: NEW, status: 'confirmed' })
    expect(old).toMatchObject({ status: 'ended', movedTo: made?.id })
  })

  it('is carried out once, also when its button is pressed several times at once', async () => {
    const { useCases, askToMove, only } = serviceOver(storage)
    const token = await askToMove()
    const press = () => useCases.carryOutMove.execute({ token, source: SOURCE })
    const results = await Promise.all(Array.from({ length: 8 }, press))
    expect(results.filter(({ already }) => !already)).toHaveLength(1)
    expect(await only(OLD)).toMatchObject({ status: 'ended' })
    expect(await only(NEW)).toMatchObject({ status: 'confirmed' })
  })

  it('can be undone, once', async () => {
    const { useCases, move, linkIn, only } = serviceOver(storage)
    await move()
    const token = await linkIn('undo')
    const results = await Promise.all(
      Array.from({ length: 8 }, () => useCases.undoMove.execute({ token, source: SOURCE })),
    )
    expect(results.filter(({ already }) => !already)).toHaveLength(1)
    expect(await only(NEW)).toMatchObject({ status: 'ended' })
    expect(await only(OLD)).toMatchObject({ status: 'confirmed' })
  })

  it('erases the old one after seven days, and a link in an old mail still ends the new one', async () => {
    const { useCases, move, clock, only, unsubscribe } = serviceOver(storage)
    const { old } = await move()
    clock.advance(UNDO_LIFE)
    expect(await useCases.finishMoves.execute()).toEqual({ erased: 1, more: false })
    expect(await only(OLD)).toBeUndefined()
    await unsubscribe(old?.id ?? 0)
    expect(await only(NEW)).toMatchObject({ status: 'ended' })
  })

  it('erases both with a user of either address', async () => {
    for (const which of ['from', 'to'] as const) {
      const { useCases, move, only } = serviceOver(storage)
      const [from, to] = [`from.${which}@example.com`, `to.${which}@example.org`]
      await move(from, to)
      const userId = `user-${which}`
      const email = which === 'from' ? from : to
      await useCases.putUser.execute({ userId, email, name: '', roles: [] }, ADMIN)
      await useCases.deleteUser.execute({ userId, subscriptions: 'erase' }, ADMIN)
      expect([await only(from), await only(to)]).toEqual([undefined, undefined])
      expect((await useCases.getErasureReceipt.execute({ userId }, ADMIN)).tombstone.erased.subscriptions).toBe(2)
    }
  })
})
