import { expect, it } from 'vitest'
import { DAY, LinkTokens, type Mail, MINUTE, UNDO_LIFE } from '../src/index.ts'
import { storageSuite } from './storage-under-test.ts'
import { OPERATOR, type Served, SOURCE, tokenIn, wholeServiceOver } from './whole-service.ts'

const OLD = 'old@example.com'
const NEW = 'new@example.org'

const serviceOver = (storage: Served) => {
  const service = wholeServiceOver(storage)
  const { useCases, clock, transport, deliver } = service
  const linkIn = async (name: keyof Mail['links']): Promise<string> => {
    await deliver()
    const mail = transport.mails.findLast(({ links }) => links[name])
    return tokenIn(mail, name)
  }
  const only = async (email: string) => (await useCases.listSubscriptions.execute({ email }, OPERATOR)).items[0]
  const confirmed = async (email: string, feed?: string) => {
    await useCases.subscribe.execute({ email, feed, source: SOURCE })
    await useCases.confirmSubscription.execute({ token: await linkIn('confirm'), source: SOURCE })
    clock.advance(10 * MINUTE)
  }
  const preferencesOf = async (email: string): Promise<string> => {
    await useCases.requestPreferences.execute({ email })
    return await linkIn('preferences')
  }
  /** The token of the link that moves a confirmed subscription of the old address. */
  const askToMove = async (from = OLD, to = NEW): Promise<string> => {
    await confirmed(from)
    await useCases.requestMove.execute({ token: await preferencesOf(from), email: to })
    return await linkIn('move')
  }
  const move = async (from = OLD, to = NEW) => {
    await useCases.carryOutMove.execute({ token: await askToMove(from, to), source: SOURCE })
    return { old: await only(from), made: await only(to) }
  }
  const unsubscribe = async (id: number) => {
    const token = new LinkTokens(service).sign('unsubscribe', { id, episode: '', expiresAt: undefined })
    await useCases.endSubscription.execute({ token, source: SOURCE })
  }
  /** By feed. */
  const all = async (email: string) => {
    const { items } = await useCases.listSubscriptions.execute({ email }, OPERATOR)
    return Object.fromEntries(items.map((one) => [one.feed, one]))
  }
  /** The new address has one feed before, and gets another by the move: `default` is its own, `made` is not. */
  const moveToSubscribed = async () => {
    await useCases.putFeed.execute({ name: 'made' }, OPERATOR)
    await confirmed(NEW)
    const { default: there } = await all(NEW)
    clock.advance(DAY)
    await confirmed(OLD, 'made')
    await move()
    return { there, old: await all(OLD) }
  }
  const erase = async (email: string) => {
    clock.advance(DAY)
    const token = await preferencesOf(email)
    await useCases.changePreferences.execute({ token, action: 'erase', source: SOURCE })
  }
  const finish = async () => {
    clock.advance(UNDO_LIFE)
    return await useCases.finishMoves.execute()
  }
  return { ...service, linkIn, only, all, askToMove, move, moveToSubscribed, unsubscribe, erase, finish }
}

const WAITS = [
  ['before the old one is forgotten', false],
  ['and after that', true],
] as const

export const movingContract = storageSuite('addresses that are changed', (storage) => {
  it('confirms under a new id and ends the old one once, also when its button is pressed several times at once', async () => {
    const { useCases, askToMove, only } = serviceOver(storage)
    const token = await askToMove()
    const press = () => useCases.carryOutMove.execute({ token, source: SOURCE })
    const results = await Promise.all(Array.from({ length: 8 }, press))
    expect(results.filter(({ already }) => !already)).toHaveLength(1)
    const made = await only(NEW)
    expect(made).toMatchObject({ email: NEW, status: 'confirmed' })
    expect(await only(OLD)).toMatchObject({ status: 'ended', movedTo: made?.id })
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
    expect(await useCases.finishMoves.execute()).toEqual({ count: 1, more: false })
    expect(await only(OLD)).toBeUndefined()
    await unsubscribe(old?.id ?? 0)
    expect(await only(NEW)).toMatchObject({ status: 'ended' })
  })

  it('ends and erases both although somebody, anybody, has sent a form for the old address', async () => {
    const { useCases, move, only, unsubscribe, erase } = serviceOver(storage)
    for (const deed of ['ends', 'erases'] as const) {
      const [from, to] = [`${deed}@example.com`, `${deed}@example.org`]
      const { old } = await move(from, to)
      await useCases.subscribe.execute({ email: from, source: SOURCE })
      expect(await only(from)).toMatchObject({ status: 'pending' })
      if (deed === 'ends') await unsubscribe(old?.id ?? 0)
      else await erase(to)
      for (const email of [from, to]) expect((await only(email))?.status).toBe(deed === 'ends' ? 'ended' : undefined)
    }
  })

  it('erases both with a user of either address', async () => {
    for (const which of ['from', 'to'] as const) {
      const { useCases, move, only } = serviceOver(storage)
      const [from, to] = [`from.${which}@example.com`, `to.${which}@example.org`]
      await move(from, to)
      const userId = `user-${which}`
      const email = which === 'from' ? from : to
      await useCases.putUser.execute({ userId, email, name: '', roles: [] }, OPERATOR)
      await useCases.deleteUser.execute({ userId, subscriptions: 'erase' }, OPERATOR)
      expect([await only(from), await only(to)]).toEqual([undefined, undefined])
      expect((await useCases.getErasureReceipt.execute({ userId }, OPERATOR)).tombstone.erased.subscriptions).toBe(2)
    }
  })

  it.each(WAITS)(
    'leaves what the new address had before to it alone: no unsubscribe link of the old one ends it, %s',
    async (_, wait) => {
      const { all, moveToSubscribed, unsubscribe, finish } = serviceOver(storage)
      const { there, old } = await moveToSubscribed()
      expect(old).toMatchObject({ default: { status: 'ended' }, made: { status: 'ended' } })
      if (wait) expect(await finish()).toEqual({ count: 2, more: false })
      for (const feed of ['default', 'made']) await unsubscribe(old[feed]?.id ?? 0)
      expect(await all(NEW)).toMatchObject({ default: there, made: { status: 'ended' } })
    },
  )

  it('undoes and erases only what it has made', async () => {
    const { all, moveToSubscribed, linkIn, useCases, erase } = serviceOver(storage)
    const { there } = await moveToSubscribed()
    await useCases.undoMove.execute({ token: await linkIn('undo'), source: SOURCE })
    expect(await all(NEW)).toMatchObject({ default: there, made: { status: 'ended' } })
    expect(await all(OLD)).toMatchObject({ default: { status: 'confirmed' }, made: { status: 'confirmed' } })
    await erase(OLD)
    expect([await all(OLD), (await all(NEW)).default]).toEqual([{}, there])
  })

  it.each(WAITS)(
    'erases with the old address what it has made, and not what the new one had before, %s',
    async (_, wait) => {
      const { all, moveToSubscribed, erase, finish } = serviceOver(storage)
      const { there, old } = await moveToSubscribed()
      if (wait) await finish()
      else await erase(OLD)
      expect([await all(OLD), (await all(NEW)).default]).toEqual([{}, there])
      expect(Object.keys(await all(NEW))).toEqual(wait ? ['default', 'made'] : ['default'])
      await storage.unitOfWork.run(async ({ moves }) => {
        for (const one of [there, old.default]) expect(await moves.touches(one?.id ?? 0)).toBe(false)
      })
    },
  )

  it.each(WAITS)('goes to its end where the new address has erased what it had, %s', async (_, wait) => {
    const { all, moveToSubscribed, linkIn, erase, finish, useCases } = serviceOver(storage)
    await moveToSubscribed()
    const token = await linkIn('undo')
    await erase(NEW)
    expect([Object.keys(await all(NEW)), Object.keys(await all(OLD))]).toEqual([[], ['default']])
    if (wait) await finish()
    else await useCases.undoMove.execute({ token, source: SOURCE })
    expect(Object.values(await all(OLD)).map(({ status }) => status)).toEqual(wait ? [] : ['confirmed'])
  })

  it('takes no earlier move along to what the new address had before', async () => {
    const { all, move, moveToSubscribed, unsubscribe, finish, clock } = serviceOver(storage)
    const { old: first } = await move('first@example.net', OLD)
    await finish()
    const { there } = await moveToSubscribed()
    for (const step of [() => undefined, finish]) {
      await step()
      clock.advance(DAY)
      await unsubscribe(first?.id ?? 0)
      expect((await all(NEW)).default).toEqual(there)
    }
    expect(await storage.readers.moves.movedFrom([first?.id ?? 0])).toEqual([])
  })
})
