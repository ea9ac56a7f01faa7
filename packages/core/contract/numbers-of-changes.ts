import { expect, it } from 'vitest'
import { type Counted, DAY, LinkTokens, type Mail, UNDO_LIFE } from '../src/index.ts'
import { storageSuite } from './storage-under-test.ts'
import { OPERATOR, type Served, SOURCE, tokenIn, wholeServiceOver } from './whole-service.ts'

const serviceOver = (storage: Served) => {
  const service = wholeServiceOver(storage)
  const { useCases, clock, transport, deliver } = service
  const linkIn = async (name: keyof Mail['links'], to: string) => {
    await deliver()
    const mail = transport.mails.findLast((one) => one.to === to && one.links[name])
    return { token: tokenIn(mail, name), source: SOURCE }
  }
  const subscribe = async (email: string, feed?: string) => {
    clock.advance(DAY)
    return await useCases.subscribe.execute({ email, feed, source: SOURCE })
  }
  const confirmed = async (email: string, feed?: string) => {
    const { id } = await subscribe(email, feed)
    await useCases.confirmSubscription.execute(await linkIn('confirm', email))
    return id
  }
  const preferences = async (email: string) => {
    clock.advance(DAY)
    await useCases.requestPreferences.execute({ email })
    return await linkIn('preferences', email)
  }
  const importRows = async (rows: readonly object[]) => {
    async function* body() {
      yield new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    }
    for await (const _ of await useCases.importSubscriptions.execute({ body: body() }, OPERATOR));
  }
  return { ...service, linkIn, subscribe, confirmed, preferences, importRows }
}

type Service = ReturnType<typeof serviceOver>
type Change = (at: Service) => Promise<unknown>

const idOf = async ({ useCases }: Service, email: string) =>
  String((await useCases.listSubscriptions.execute({ email }, OPERATOR)).items[0]?.id)

const EVIDENCE = { confirmed_at: '2024-07-02T12:56:49.000Z', consent: 'Ticked the box at the fair.' }

/** Every kind of change, in an order in which each is possible, and what it adds to the numbers. */
const CHANGES: readonly (readonly [name: string, change: Change, adds: Partial<Record<Counted, number>>])[] = [
  ['a sign-up', (at) => at.subscribe('a@example.com'), { requested: 1 }],
  ['its mail', (at) => at.deliver(), { mailed: 1 }],
  ['a sign-up that repeats it', (at) => at.subscribe('a@example.com'), {}],
  [
    'a confirmation, with the mail before',
    async (at) => at.useCases.confirmSubscription.execute(await at.linkIn('confirm', 'a@example.com')),
    { confirmed: 1, mailed: 1 },
  ],
  [
    'the same again',
    async (at) => at.useCases.confirmSubscription.execute(await at.linkIn('confirm', 'a@example.com')),
    {},
  ],
  [
    'a trapped form',
    (at) => at.useCases.subscribe.execute({ email: 'bot@example.com', website: 'x', source: SOURCE }),
    { 'turned-away:honeypot': 1 },
  ],
  [
    'a refusal',
    async (at) => {
      await at.subscribe('no@example.com')
      await at.useCases.refuseSubscription.execute(await at.linkIn('refuse', 'no@example.com'))
    },
    { requested: 1, mailed: 1, 'ended:refused': 1 },
  ],
  ['a sign-up of who refused', (at) => at.subscribe('no@example.com'), { 'turned-away:suppressed': 1 }],
  [
    'a link to preferences that nobody has',
    (at) => at.useCases.requestPreferences.execute({ email: 'who@example.com' }),
    { 'turned-away:unknown-address': 1 },
  ],
  [
    'the end by a link',
    async (at) => {
      const id = await at.confirmed('bye@example.com')
      const token = new LinkTokens(at).sign('unsubscribe', { id, episode: '', expiresAt: undefined })
      await at.useCases.endSubscription.execute({ token, source: SOURCE })
      await at.useCases.endSubscription.execute({ token, source: SOURCE })
    },
    { requested: 1, mailed: 1, confirmed: 1, 'ended:unsubscribed': 1 },
  ],
  ['a new life', (at) => at.confirmed('bye@example.com'), { requested: 1, mailed: 1, confirmed: 1 }],
  [
    'an end on behalf',
    async (at) =>
      at.useCases.endOnBehalf.execute(
        { subscriptionId: await idOf(at, 'bye@example.com'), reason: 'a letter' },
        OPERATOR,
      ),
    { 'ended:by-caller': 1 },
  ],
  [
    'a confirmation on behalf',
    async (at) => {
      const { id } = await at.subscribe('paper@example.com')
      await at.useCases.confirmOnBehalf.execute({ subscriptionId: String(id), reason: 'on paper' }, OPERATOR)
    },
    { requested: 1, confirmed: 1 },
  ],
  [
    'the end by preferences',
    async (at) => {
      await at.confirmed('all@example.com')
      await at.useCases.changePreferences.execute({ ...(await at.preferences('all@example.com')), action: 'end-all' })
    },
    { requested: 1, mailed: 1, confirmed: 1, 'ended:unsubscribed': 1 },
  ],
  [
    'an erasure of what had ended',
    async (at) =>
      at.useCases.changePreferences.execute({ ...(await at.preferences('all@example.com')), action: 'erase' }),
    {},
  ],
  [
    'an erasure of one',
    async (at) =>
      at.useCases.eraseSubscription.execute({ subscriptionId: await idOf(at, 'paper@example.com') }, OPERATOR),
    { 'ended:erased': 1 },
  ],
  [
    'an expiry',
    async (at) => {
      await at.subscribe('late@example.com')
      await at.deliver()
      at.clock.advance(9 * DAY)
      await at.useCases.expireSubscriptions.execute()
    },
    { requested: 1, mailed: 1, 'ended:expired': 1 },
  ],
  [
    'a bounce',
    async (at) => {
      const subscription = await idOf(at, 'a@example.com')
      await at.useCases.recordFeedback.execute({ items: [{ kind: 'bounce', subscription, status: '5.1.1' }] }, OPERATOR)
    },
    { bounced: 1 },
  ],
  [
    'a complaint',
    async (at) => {
      const subscription = await idOf(at, 'a@example.com')
      await at.useCases.recordFeedback.execute({ items: [{ kind: 'complaint', subscription }] }, OPERATOR)
    },
    { complained: 1, 'ended:complained': 1 },
  ],
  [
    'a change of address',
    async (at) => {
      await at.confirmed('old@example.com')
      const { token } = await at.preferences('old@example.com')
      await at.useCases.requestMove.execute({ token, email: 'new@example.com' })
      await at.useCases.carryOutMove.execute(await at.linkIn('move', 'new@example.com'))
    },
    { requested: 1, mailed: 1, confirmed: 2, 'ended:moved': 1 },
  ],
  [
    'its undoing',
    async (at) => at.useCases.undoMove.execute(await at.linkIn('undo', 'old@example.com')),
    { confirmed: 1, 'ended:unsubscribed': 1 },
  ],
  [
    'a change of address that comes to its end',
    async (at) => {
      await at.confirmed('from@example.com')
      const { token } = await at.preferences('from@example.com')
      await at.useCases.requestMove.execute({ token, email: 'to@example.com' })
      await at.useCases.carryOutMove.execute(await at.linkIn('move', 'to@example.com'))
      at.clock.advance(UNDO_LIFE)
      await at.useCases.finishMoves.execute()
    },
    { requested: 1, mailed: 1, confirmed: 2, 'ended:moved': 1 },
  ],
  [
    'an import',
    (at) =>
      at.importRows([
        { email: 'i@example.com', ...EVIDENCE },
        { email: 'j@example.com', status: 'pending' },
        { email: 'k@example.com', status: 'ended' },
      ]),
    { 'imported:confirmed': 1, 'imported:pending': 1, 'imported:ended': 1 },
  ],
  ['an import of what is there', (at) => at.importRows([{ email: 'i@example.com', ...EVIDENCE }]), {}],
  [
    'an import that confirms',
    (at) => at.importRows([{ email: 'j@example.com', ...EVIDENCE }]),
    { 'imported:confirmed': 1 },
  ],
  [
    'the deletion of a user with subscriptions',
    async (at) => {
      await at.confirmed('user@example.com')
      await at.useCases.putUser.execute({ userId: 'user', email: 'user@example.com', name: '', roles: [] }, OPERATOR)
      await at.useCases.deleteUser.execute({ userId: 'user', subscriptions: 'erase' }, OPERATOR)
    },
    { requested: 1, mailed: 1, confirmed: 1, 'ended:erased': 1 },
  ],
  [
    'a sign-up to several feeds',
    async (at) => {
      await at.useCases.putFeed.execute({ name: 'news' }, OPERATOR)
      at.clock.advance(DAY)
      await at.useCases.subscribe.execute({
        email: 'two@example.com',
        feeds: ['default', 'news'],
        source: SOURCE,
      })
      await at.useCases.confirmSubscription.execute(await at.linkIn('confirm', 'two@example.com'))
    },
    { requested: 2, mailed: 2, confirmed: 2 },
  ],
  [
    'the deletion of a feed',
    (at) => at.useCases.deleteFeed.execute({ name: 'news', subscriptions: 'erase' }, OPERATOR),
    { 'ended:erased': 1 },
  ],
]

export const numbersOfChangesContract = storageSuite('numbers of everything that changes subscriptions', (storage) => {
  it('are what there is and what was done, after each', async () => {
    const at = serviceOver(storage)
    const { numbers, subscriptions } = at.useCases.readers
    const ever = async (): Promise<Record<string, number>> =>
      Object.fromEntries((await numbers.ever()).map(({ what, count }) => [what, count]))
    let before = await ever()
    for (const [name, change, adds] of CHANGES) {
      await change(at)
      const { items } = await subscriptions.list({ after: 0, limit: 1_000 })
      const there = Object.entries(Object.groupBy(items, ({ feed, status }) => `${feed} ${status}`))
      const kept = (await numbers.current(undefined)).filter(({ count }) => count !== 0)
      expect([name, kept.map(({ feed, status, count }) => `${feed} ${status} ${count}`).sort()]).toEqual([
        name,
        there.map(([what, found = []]) => `${what} ${found.length}`).sort(),
      ])
      const after = await ever()
      const added = Object.entries(after).map(([what, count]) => [what, count - (before[what] ?? 0)] as const)
      expect([name, Object.fromEntries(added.filter(([, count]) => count !== 0))]).toEqual([name, adds])
      before = after
    }
  })
})
