import { expect, it } from 'vitest'
import { type Mail, MINUTE, type SubscriptionId } from '../src/index.ts'
import { aFeed, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'
import { OPERATOR, type Served, SOURCE, tokenIn, wholeServiceOver } from './whole-service.ts'

const serviceOver = ({ unitOfWork, readers }: Served) => {
  const { useCases, clock, transport, deliver } = wholeServiceOver({ unitOfWork, readers })
  const idIn = (id: SubscriptionId | undefined) => readers.subscriptions.find(id ?? 0)
  return {
    useCases,
    clock,
    deliver,
    get mails() {
      return transport.mails
    },
    open: (...names: string[]) =>
      unitOfWork.run(async ({ feeds }) => {
        for (const name of names) await feeds.put(aFeed(name))
      }),
    signUp: async (feeds: readonly string[], email = 'ada@example.com') =>
      (await useCases.subscribe.execute({ email, feeds, source: SOURCE })).subscriptions.map(({ id }) => id),
    signUpOne: async (feed: string, email = 'ada@example.com') =>
      (await useCases.subscribe.execute({ email, feed, source: SOURCE })).id,
    confirm: (mail: Mail | undefined, feeds?: readonly string[]) =>
      useCases.confirmSubscription.execute({ token: tokenIn(mail, 'confirm'), source: SOURCE, feeds }),
    refuse: (mail: Mail | undefined) =>
      useCases.refuseSubscription.execute({ token: tokenIn(mail, 'refuse'), source: SOURCE }),
    show: (mail: Mail | undefined) =>
      useCases.showLink.execute({ purpose: 'confirm', token: tokenIn(mail, 'confirm') }),
    erase: (id: SubscriptionId | undefined) =>
      useCases.eraseSubscription.execute({ subscriptionId: `${id}` }, OPERATOR),
    statuses: async (ids: readonly SubscriptionId[]) => {
      const found = []
      for (const id of ids) found.push((await idIn(id))?.status)
      return found
    },
    waiting: async () => (await readers.outbox.list({ after: 0, limit: 100 })).items,
  }
}

export const signUpsToFeedsContract = storageSuite('a sign-up to several feeds', ({ unitOfWork, readers }) => {
  const service = async () => {
    const at = serviceOver({ unitOfWork, readers })
    await at.open('a', 'b', 'c')
    return at
  }

  it('is one mail, whose link confirms all feeds of the form or those that are chosen', async () => {
    const at = await service()
    const ids = await at.signUp(['b', 'a', 'c', 'a'])
    expect(ids).toHaveLength(3)
    expect(await at.statuses(ids)).toEqual(['pending', 'pending', 'pending'])
    const mail = await at.deliver()
    expect(at.mails).toHaveLength(1)
    expect(mail?.feeds?.map(({ name }) => name)).toEqual(['b', 'a', 'c'])
    expect((await at.show(mail)).group?.map(({ feed, good }) => [feed.name, good])).toEqual([
      ['b', true],
      ['a', true],
      ['c', true],
    ])
    await expect(at.confirm(mail, [])).rejects.toMatchObject({ name: 'InvalidInput' })
    expect(await at.confirm(mail, ['c', 'b'])).toMatchObject({
      already: false,
      subscriptions: [{ feed: 'b' }, { feed: 'c' }],
    })
    expect(await at.statuses(ids)).toEqual(['confirmed', 'pending', 'confirmed'])
    expect(await at.confirm(mail, ['c'])).toMatchObject({ already: true })
    expect(await at.confirm(mail)).toMatchObject({ already: false })
    expect(await at.statuses(ids)).toEqual(['confirmed', 'confirmed', 'confirmed'])
    expect(await at.confirm(mail)).toMatchObject({ already: true })
    const evidence = await readers.subscriptions.findEvidence(ids[1] ?? 0)
    expect(evidence?.consents.map(({ deed }) => deed)).toEqual(['requested', 'confirmed'])
  })

  it('ends all that were asked for, and nothing that was confirmed before, when it is refused', async () => {
    const at = await service()
    const c = await at.signUpOne('c')
    await at.confirm(await at.deliver())
    const ids = await at.signUp(['a', 'b', 'c'])
    at.clock.advance(30 * MINUTE)
    const mail = await at.deliver()
    expect((await at.show(mail)).group?.map(({ good }) => good)).toEqual([true, true, false])
    await at.confirm(mail, ['a'])
    await at.refuse(mail)
    expect(await at.statuses(ids)).toEqual(['ended', 'ended', 'confirmed'])
    expect(ids[2]).toBe(c)
    await at.refuse(mail)
    await expect(at.confirm(mail)).rejects.toMatchObject({ name: 'LinkNotValid' })
    expect(await at.signUp(['a', 'b'])).toEqual(ids.slice(0, 2))
    expect(await at.statuses(ids)).toEqual(['ended', 'ended', 'confirmed'])
    expect(await at.waiting()).toEqual([])
  })

  it('keeps the mail that waits as long as one of its feeds does, and drops it with the last', async () => {
    const at = await service()
    const [a, b, c] = await at.signUp(['a', 'b', 'c'])
    await at.erase(a)
    await at.erase(c)
    expect(await at.waiting()).toHaveLength(1)
    const mail = await at.deliver()
    expect(mail?.feeds?.map(({ name }) => name)).toEqual(['b'])
    expect(await at.confirm(mail)).toMatchObject({ subscriptions: [{ id: b }] })
    at.clock.advance(30 * MINUTE)
    const others = await at.signUp(['a', 'c'])
    for (const id of others) await at.erase(id)
    expect(await at.waiting()).toEqual([])
    await expect(at.show(mail)).resolves.toMatchObject({ group: [{ feed: { name: 'b' } }] })
    await at.erase(b)
    await expect(at.show(mail)).rejects.toMatchObject({ name: 'LinkNotValid' })
  })

  it('changes nothing where one of the feeds does not exist or takes no sign-ups', async () => {
    const at = await service()
    await unitOfWork.run(({ feeds }) => feeds.put(aFeed('closed', { open: false })))
    for (const feeds of [['a', 'none'], ['a', 'closed'], [], ['a', '/']])
      await expect(at.signUp(feeds)).rejects.toMatchObject({ details: [{ field: 'feeds' }] })
    const tooMany = upTo(21).map((n) => `f${n}`)
    await expect(at.signUp(tooMany)).rejects.toMatchObject({ details: [{ message: 'Name at most 20 feeds.' }] })
    expect((await readers.subscriptions.list({ after: 0, limit: 9 })).items).toEqual([])
    expect(await at.waiting()).toEqual([])
  })

  it('takes many at the same time, of one address and of others, and sends one mail to each', async () => {
    const at = await service()
    const all = Array.from({ length: 12 }, (_, n) => at.signUp(['a', 'b', 'c'], `${n % 4}@example.com`))
    const ids = await Promise.all(all)
    expect(new Set(ids.flat()).size).toBe(12)
    expect(await at.waiting()).toHaveLength(4)
    await at.deliver()
    expect(at.mails).toHaveLength(4)
    for (const mail of at.mails) expect((await at.confirm(mail)).subscriptions).toHaveLength(3)
  })
})
