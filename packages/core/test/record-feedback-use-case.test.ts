import { describe, expect, it } from 'vitest'
import { DAY, HOUR, InsufficientPermissions, InvalidInput, publishedStats, publishedSuppression } from '../src/index.ts'
import {
  ADMIN,
  AUDITOR,
  auditOf,
  confirm,
  consentsOf,
  mailedToken,
  NO_ROLES,
  type Service,
  stored,
  subscribe,
} from './cast.ts'
import {
  bounce,
  boundTo,
  complaint,
  confirmed,
  confirmedMany,
  eventsOf,
  hashOf,
  MAILER,
  openWithFeeds,
  report,
  stateOf,
} from './feedback.ts'

const ADA = 'ada@example.com'

describe('a bounce', () => {
  // What each status means is in the table of failures.
  it.each([
    ['5.1.1', undefined, 'undeliverable'],
    [undefined, true, 'undeliverable'],
    ['5.7.1', true, 'ok'],
    [undefined, false, 'ok'],
    [undefined, undefined, 'ok'],
    ['5.0.0', undefined, 'undeliverable'],
    ['5.0.0', false, 'ok'],
    ['4.0.0', undefined, 'ok'],
  ])(
    'with the status %s, permanent %s, makes the address %s, however often it comes',
    async (status, permanent, state) => {
      const at = await openWithFeeds()
      const id = await confirmed(at, ADA)
      for (let day = 0; day < 6; day++) {
        await report(at, [bounce(id, { status, permanent })])
        expect(await stateOf(at, ADA)).toBe(state)
        at.clock.advance(DAY)
      }
    },
  )

  it('that names the mailbox makes the address fail, and on the fifth different day undeliverable', async () => {
    const at = await openWithFeeds()
    const id = await confirmed(at, ADA)
    for (const status of ['4.2.2', '5.2.2', '4.1.1', '5.2.0']) {
      await report(at, [bounce(id, { status }), bounce(id, { status })])
      expect(await stateOf(at, ADA)).toBe('failing')
      at.clock.advance(DAY)
    }
    await report(at, [bounce(id, { status: '4.2.2' })])
    expect(await stateOf(at, ADA)).toBe('undeliverable')
  })

  it('counts no failures of which the first is 30 days older than the last', async () => {
    const at = await openWithFeeds()
    const id = await confirmed(at, ADA)
    for (const pause of [7, 7, 8, 8, 0]) {
      await report(at, [bounce(id, { status: '4.2.2' })])
      at.clock.advance(pause * DAY)
    }
    expect(await stateOf(at, ADA)).toBe('failing')
  })

  it('tells every sender of the address, once, by an event for each confirmed subscription', async () => {
    const at = await openWithFeeds('weekly', 'daily')
    const ids = [await confirmed(at, ADA), await confirmed(at, ADA, 'weekly')]
    await report(at, [bounce(ids[0] ?? 0), bounce(ids[1] ?? 0)])
    await report(at, [bounce(ids[0] ?? 0)])
    expect((await eventsOf(at, 'subscription.undeliverable')).sort()).toEqual(
      ids.map((id) => `subscription.undeliverable ${id}`).sort(),
    )
    expect((await stored(at, ids[0] ?? 0)).status).toBe('confirmed')
  })

  it('is that of the address, and not of its mailbox: a server may know no plus tags', async () => {
    const at = await openWithFeeds()
    await report(at, [bounce(await confirmed(at, 'ada+news@example.com'))])
    expect([await stateOf(at, 'ada+news@example.com'), await stateOf(at, ADA)]).toEqual(['undeliverable', 'ok'])
  })
})

describe('a complaint', () => {
  it('of a sender of every feed ends every subscription of the address, and stops every mail to it', async () => {
    const at = await openWithFeeds('weekly', 'daily')
    const ids = [await confirmed(at, ADA), await confirmed(at, ADA, 'weekly')]
    const gone = await confirmed(at, ADA, 'daily')
    await at.useCases.endOnBehalf.execute({ subscriptionId: String(gone), reason: 'on paper' }, ADMIN)
    await report(at, [complaint(ids[1] ?? 0)])
    for (const id of ids) {
      expect((await stored(at, id)).status).toBe('ended')
      expect((await consentsOf(at, id)).at(-1)).toMatchObject({ deed: 'ended', via: 'complaint:mailer' })
    }
    expect(await eventsOf(at, 'subscription.ended')).toHaveLength(3)
    expect(await report(at, [complaint(ids[1] ?? 0)])).toEqual({ addresses: 0, waiting: 0 })
    const complaints = async (feed?: string) =>
      publishedStats(await at.useCases.showStats.execute({ feed }, ADMIN)).periods.map(({ complained }) => complained)
    expect((await complaints()).filter((count) => count > 0)).toEqual([1])
    expect((await complaints('weekly')).filter((count) => count > 0)).toEqual([1])
    const { items } = await at.useCases.listSuppressions.execute({}, ADMIN)
    expect(items.map(publishedSuppression)).toMatchObject([{ address: hashOf(at, ADA), cause: 'complaint' }])
    expect(await stateOf(at, ADA)).toBe('ok')
  })

  it('of a sender that is bound to feeds ends those of its feeds alone, and stops nothing else', async () => {
    const at = await openWithFeeds('weekly')
    const [news, weekly] = [await confirmed(at, ADA), await confirmed(at, ADA, 'weekly')]
    await report(at, [complaint(weekly)], boundTo('weekly'))
    expect([(await stored(at, news)).status, (await stored(at, weekly)).status]).toEqual(['confirmed', 'ended'])
    expect((await at.useCases.listSuppressions.execute({}, ADMIN)).items).toEqual([])
  })
})

describe('feedback from before its reader confirmed', () => {
  /** Confirmed by its reader two days after the time that is told, or by an administrator. */
  const since = async (by: 'click' | 'administrator' = 'click') => {
    const at = await openWithFeeds('weekly')
    const before = new Date(at.clock.now()).toISOString()
    const older = await confirmed(at, ADA, 'weekly')
    at.clock.advance(2 * DAY + HOUR)
    const { id } = await subscribe(at, ADA)
    const token = await mailedToken(at, 'confirm')
    if (by === 'click') await confirm(at, token)
    else await at.useCases.confirmOnBehalf.execute({ subscriptionId: String(id), reason: 'on paper' }, ADMIN)
    at.clock.advance(HOUR)
    return {
      at,
      id,
      older,
      before,
      statuses: async () => [(await stored(at, id)).status, (await stored(at, older)).status],
    }
  }
  const suppressions = async (at: Service) => (await at.useCases.listSuppressions.execute({}, ADMIN)).items.length

  it('does not make the address undeliverable, nor fail', async () => {
    const { at, id, older, before } = await since()
    await report(at, [bounce(id, { at: before }), bounce(older, { at: before, status: '4.2.2' })])
    expect(await stateOf(at, ADA)).toBe('ok')
    await report(at, [bounce(id)])
    expect(await stateOf(at, ADA)).toBe('undeliverable')
  })

  it('ends what was confirmed before it, and does not stop what was confirmed after', async () => {
    const { at, id, before, statuses } = await since()
    await report(at, [complaint(id, { at: before })])
    expect([await statuses(), await suppressions(at)]).toEqual([['confirmed', 'ended'], 0])
    await report(at, [complaint(id)])
    expect([await statuses(), await suppressions(at)]).toEqual([['ended', 'ended'], 1])
  })

  it('counts where it is only known to be of the same day', async () => {
    const { at, id, statuses } = await since()
    await report(at, [complaint(id, { at: new Date(at.clock.now()).toISOString().slice(0, 10) })])
    expect(await statuses()).toEqual(['ended', 'ended'])
  })

  it('counts where nobody has followed a link: an administrator confirmed', async () => {
    const { at, id, before, statuses } = await since('administrator')
    await report(at, [bounce(id, { at: before }), complaint(id, { at: before })])
    expect([await stateOf(at, ADA), await statuses(), await suppressions(at)]).toEqual([
      'undeliverable',
      ['ended', 'ended'],
      1,
    ])
  })
})

describe('feedback', () => {
  it('on what does not exist for the caller changes nothing, with the same answer', async () => {
    const at = await openWithFeeds('weekly')
    const id = await confirmed(at, ADA)
    const before = await report(at, [bounce(12345), complaint(12345)], boundTo('weekly'))
    expect(await report(at, [bounce(id), complaint(id)], boundTo('weekly'))).toEqual(before)
    expect([await stateOf(at, ADA), (await stored(at, id)).status]).toEqual(['ok', 'confirmed'])
  })

  it('older than 14 days changes nothing; from a clock that is a little ahead it counts as of now', async () => {
    const at = await openWithFeeds()
    const [ada = 0, bob = 0] = await confirmedMany(at, [ADA, 'bob@example.com'])
    const time = (ahead: number) => new Date(at.clock.now() + ahead).toISOString()
    await report(at, [bounce(ada, { at: time(-14 * DAY - 1) })])
    await report(at, [bounce(bob, { at: time(3_600_000) })])
    expect([await stateOf(at, ADA), await stateOf(at, 'bob@example.com')]).toEqual(['ok', 'undeliverable'])
    expect(await at.storage.readers.deliverability.find(hashOf(at, 'bob@example.com'))).toMatchObject({
      since: at.clock.now(),
    })
    await expect(report(at, [bounce(ada, { at: time(2 * DAY) })])).rejects.toThrow(InvalidInput)
  })

  it('counts once of the same caller within 30 days, by the name that its provider has for it', async () => {
    const at = await openWithFeeds()
    const id = await confirmed(at, ADA)
    const again = () => report(at, [bounce(id, { providerId: 'x' })])
    const lift = () => at.useCases.liftUndeliverable.execute({ address: ADA }, ADMIN)
    await again()
    await lift()
    await again()
    expect(await stateOf(at, ADA)).toBe('ok')
    await report(at, [bounce(id, { providerId: 'x' })], { ...MAILER, id: 'another' })
    expect(await stateOf(at, ADA)).toBe('undeliverable')
    await lift()
    at.clock.advance(30 * DAY + 1)
    await at.useCases.expireSubscriptions.execute()
    await again()
    expect(await stateOf(at, ADA)).toBe('undeliverable')
  })

  it('is one record in the trail with the number of items, and no address in it', async () => {
    const at = await openWithFeeds()
    const ids = await confirmedMany(at, [ADA, 'bob@example.com', 'cy@example.com'])
    await report(
      at,
      ids.map((id) => bounce(id)),
    )
    expect((await auditOf(at)).filter(({ action }) => action === 'feedback.record')).toMatchObject([
      { actor: 'mailer', count: 3, outcome: 'done', target: undefined },
    ])
  })

  it('by address is for administrators, of addresses without a subscription, too', async () => {
    const at = await openWithFeeds()
    const item = { kind: 'bounce', address: 'Eve@Example.com', permanent: true }
    await expect(report(at, [item])).rejects.toThrow(InvalidInput)
    await report(at, [item, { kind: 'complaint', address: 'zoe@example.com' }], ADMIN)
    expect(await stateOf(at, 'eve@example.com')).toBe('undeliverable')
    expect((await at.useCases.listSuppressions.execute({}, ADMIN)).items).toMatchObject([{ cause: 'complaint' }])
  })

  it('is refused as a whole, and says of each item what is wrong', async () => {
    const at = await openWithFeeds()
    const id = await confirmed(at, ADA)
    const wrong = ['open', 'delivery', 'constructor', '__proto__', 'toString'].map((kind) => ({
      kind,
      subscription: '1',
    }))
    const refusal = report(at, [bounce(id), bounce(id, { status: '550' }), ...wrong])
    await expect(refusal).rejects.toMatchObject({
      details: [{ field: 'items.1.status' }, ...wrong.map((_, n) => ({ field: `items.${n + 2}.kind` }))],
    })
    expect(await stateOf(at, ADA)).toBe('ok')
    for (const items of [[], Array.from({ length: 501 }, () => bounce(id))])
      await expect(report(at, items)).rejects.toThrow(InvalidInput)
  })

  it('is for administrators and senders', async () => {
    const at = await openWithFeeds()
    const id = await confirmed(at, ADA)
    for (const by of [AUDITOR, NO_ROLES])
      await expect(report(at, [bounce(id)], by)).rejects.toThrow(InsufficientPermissions)
    await report(at, [bounce(id)], ADMIN)
    expect(await stateOf(at, ADA)).toBe('undeliverable')
  })

  it('goes with the person when all of it is erased', async () => {
    const at = await openWithFeeds()
    const [ada = 0, bob = 0] = await confirmedMany(at, [ADA, 'bob@example.com'])
    await report(at, [bounce(ada), bounce(bob)])
    await at.useCases.eraseSubscription.execute({ subscriptionId: String(ada) }, ADMIN)
    expect([await stateOf(at, ADA), await stateOf(at, 'bob@example.com')]).toEqual(['ok', 'undeliverable'])
  })
})
