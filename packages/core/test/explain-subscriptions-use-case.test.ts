import { describe, expect, it } from 'vitest'
import { aFeed, upTo } from '../contract/samples.ts'
import { memoryDigests, openMemoryService } from '../memory/index.ts'
import {
  addressHash,
  DAY,
  type Feed,
  HOUR,
  InsufficientPermissions,
  InvalidInput,
  MailRefusedPermanently,
  MailUnanswered,
  MINUTE,
} from '../src/index.ts'
import { blockMailbox } from '../src/suppressions/block.ts'
import {
  ADMIN,
  AUDITOR,
  auditOf,
  confirm,
  deliver,
  mailedToken,
  NO_ROLES,
  refuse,
  type Service,
  subscribe,
} from './cast.ts'
import { failWith, REFUSED } from './deliveries.ts'
import { bounce, confirmed, openWithFeeds, report } from './feedback.ts'
import { askToMove, carryOut, tokenOf, undo, withRequest } from './moves.ts'
import { change, linkOf, withThree } from './preferences.ts'
import { confirmedRow, importFile } from './transfers.ts'

const EMAIL = 'ada@example.com'
const DIGESTS = memoryDigests('a secret for tests')

const setUndeliverable = (at: Service, email: string, status: string | undefined) =>
  at.storage.unitOfWork.run(({ deliverability }) =>
    deliverability.put(addressHash(DIGESTS, email), {
      ...{ state: 'undeliverable', since: at.clock.now(), status },
      ...{ subscription: undefined, days: [], expiresAt: at.clock.now() + DAY },
    }),
  )

const explain = ({ useCases }: Service, email = EMAIL, caller = AUDITOR) =>
  useCases.explainSubscriptions.execute({ email }, caller)

/** What is in the timeline, counted in minutes from the first. */
const steps = ({ timeline }: Awaited<ReturnType<typeof explain>>) => {
  const minutes = (at: number | undefined) => at !== undefined && (at - (timeline[0]?.at ?? 0)) / MINUTE
  return timeline.map(({ at, what, feed, until }) => [minutes(at), what, feed, minutes(until)])
}

describe('explaining why no mail came', () => {
  it('knows nothing of an address that nothing is known of', async () => {
    const at = openMemoryService()
    expect(await explain(at)).toEqual({
      ...{ email: EMAIL, suppression: undefined, deliverability: 'ok', subscriptions: [], timeline: [] },
      conclusion:
        'Nothing is owed to this address: a sign-up with it makes a mail go out now. One to a feed that does not exist is refused, and leaves nothing.',
    })
  })

  describe('if forms leave nothing', () => {
    const BLOCKED = /^N.* owed.*, and a sign-up makes none go out: the domain of the address is a blocked one/
    const [news, all] = [['news'], ['news', 'default']]

    it.each<[state: string, status: string, closed: readonly string[], says: RegExp, domain?: string]>([
      ['nothing, domain blocked', '', [], BLOCKED, 'com'],
      ['pending, domain blocked', 'pending', [], BLOCKED, 'example.com'],
      ['confirmed, domain blocked', 'confirmed', [], BLOCKED, 'example.com'],
      ['left, domain blocked', 'ended', all, BLOCKED, 'example.com'],
      ['nothing, another domain blocked', '', [], /makes a mail go out now\./, 'example.org'],
      [
        'nothing, a feed closed',
        '',
        news,
        /go out now\. One to a feed that does not exist or is closed \(news\) is refused/,
      ],
      ['pending, another feed closed', 'pending', news, /: another sign-up sends the mail again/],
      [
        'pending, its feed closed',
        'pending',
        ['default'],
        /is refused, because the feed default is closed; after `rollcall feed set default --open`, it sends the mail again now\.$/,
      ],
      [
        'confirmed, a feed closed',
        'confirmed',
        news,
        /: a sign-up, also to the same feed, makes .* One to a feed that is closed \(news\) is refused/,
      ],
      ['confirmed, none closed', 'confirmed', [], /: a sign-up, also to the same feed, makes a mail go out now\.$/],
      ['left, a feed closed', 'ended', news, /a sign-up makes .* One to a feed that is closed \(news\) is refused/],
      [
        'nothing, all closed',
        '',
        all,
        /^Nothing is owed to this address, and a sign-up makes none go out: every feed is closed/,
      ],
      [
        'pending, all closed',
        'pending',
        all,
        /^No mail is owed, and a sign-up makes none go out: every feed is closed/,
      ],
    ])('says so: %s', async (_, status, closed, says, domain) => {
      const at = openMemoryService({ blockedDomains: domain === undefined ? [] : [domain] })
      await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
      if (status !== '') await importFile(at, [confirmedRow(EMAIL, { status })])
      for (const name of closed) await at.useCases.putFeed.execute({ name, open: false }, ADMIN)
      expect((await explain(at)).conclusion).toMatch(says)
    })

    it('looks at every feed, however many there are', async () => {
      const at = openMemoryService()
      const last = aFeed('last')
      const put = (...all: Feed[]) =>
        at.storage.unitOfWork.run(async ({ feeds }) => {
          for (const feed of all) await feeds.put(feed)
        })
      await put(...upTo(250).map((n) => aFeed(`f${n}`, { open: false })), last)
      await at.useCases.putFeed.execute({ name: 'default', open: false }, ADMIN)
      await importFile(at, [confirmedRow(EMAIL, { status: 'pending', feed: 'last' })])
      expect((await explain(at)).conclusion).toMatch(/: another sign-up sends the mail again/)
      await put({ ...last, open: false })
      expect((await explain(at)).conclusion).toMatch(/makes none go out: every feed is closed/)
      await at.useCases.putFeed.execute({ name: 'default', open: true }, ADMIN)
      expect((await explain(at)).conclusion).toMatch(/because the feed last is closed; after `rollcall feed set last/)
      await put({ ...last, deletingSince: at.clock.now() })
      expect((await explain(at)).conclusion).toMatch(/^Nothing is owed to this .* or is being deleted \(last\)/)
    })

    it('sends a form to the open one of two feeds that wait, and names five closed ones at most', async () => {
      const at = openMemoryService()
      const names = ['a', 'b', 'c', 'd', 'e', 'f']
      for (const name of names) await at.useCases.putFeed.execute({ name }, ADMIN)
      await importFile(
        at,
        ['a', 'default'].map((feed) => confirmedRow(EMAIL, { status: 'pending', feed })),
      )
      for (const name of names.slice(0, 5)) await at.useCases.putFeed.execute({ name, open: false }, ADMIN)
      expect((await explain(at)).conclusion).toMatch(/: another sign-up sends the mail again/)
      expect((await explain(at, 'bob@example.com')).conclusion).toMatch(/is closed \(a, b, c, d, e\) is refused/)
      await at.useCases.putFeed.execute({ name: 'f', open: false }, ADMIN)
      expect((await explain(at, 'bob@example.com')).conclusion).toMatch(/is closed \(a, b, c, d, e, …\) is refused/)
    })

    it.each(['pending', 'confirmed'])(
      'says that a feed is being deleted, which nobody can open (%s)',
      async (status) => {
        const at = openMemoryService()
        await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
        await importFile(at, [confirmedRow(EMAIL, { status, feed: 'news' })])
        await at.storage.unitOfWork.run(async ({ feeds }) => {
          await feeds.put(aFeed('news', { deletingSince: at.clock.now() }))
        })
        expect((await explain(at)).conclusion).toBe(
          'Nothing is owed to this address: a sign-up with it makes a mail go out now. One to a feed that does not exist or is being deleted (news) is refused, and leaves nothing.',
        )
      },
    )
  })

  it('shows a mail that is owed, one that was sent, and which cap holds the next until when', async () => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    await subscribe(at, EMAIL)
    expect((await explain(at)).conclusion).toMatch(/is due: it goes out as soon as a running `rollcall serve`/)
    at.clock.advance(MINUTE)
    await deliver(at)
    at.clock.advance(MINUTE)
    await subscribe(at, EMAIL, { feed: 'news' })
    await deliver(at)
    const explanation = await explain(at)
    const week = 7 * 24 * 60
    expect(steps(explanation)).toEqual([
      [0, 'requested (form)', 'default', false],
      [1, 'mail sent', 'default', false],
      [2, 'requested (form)', 'news', false],
      [2, 'confirmation mail owed', 'news', week + 2],
      [2, 'held by the cap of one mail in 10 minutes', 'news', 11],
    ])
    expect(explanation.conclusion).toBe(
      'The mail that is owed goes out by itself at 2026-01-01T00:11:00.000Z, when the cap of one mail in 10 minutes allows it: nothing makes it go out before.',
    )
    expect(explanation.subscriptions.map(({ feed, status }) => [feed, status])).toEqual([
      ['default', 'pending'],
      ['news', 'pending'],
    ])
    at.clock.advance(10 * MINUTE)
    await deliver(at)
    expect((await explain(at)).conclusion).toMatch(
      /^No mail is owed, and a subscription waits .* again, from .*T00:22:00/,
    )
  })

  it('names the cap of a day, also where a shorter one holds, too', async () => {
    const at = openMemoryService()
    for (let mails = 0; mails < 3; mails++) {
      await subscribe(at, EMAIL)
      await deliver(at)
      at.clock.advance(HOUR)
    }
    expect((await explain(at)).conclusion).toMatch(/from 2026-01-02T00:00:00\.000Z on\.$/)
  })

  it('shows what the relay said of a parked mail, and of one that is tried again', async () => {
    const at = openMemoryService()
    await subscribe(at, EMAIL)
    failWith(at, new Error('421 Too busy'))
    await deliver(at)
    const tried = await explain(at)
    expect(tried.timeline.map(({ what }) => what)).toEqual([
      'requested (form)',
      'confirmation mail owed',
      'tried once: 421 Too busy',
    ])
    expect(tried.conclusion).toMatch(/^The mail that is owed is tried again at .*`rollcall outbox retry \d+`/)
    at.clock.advance(HOUR)
    failWith(at, REFUSED)
    await deliver(at)
    const parked = await explain(at)
    expect(parked.timeline.map(({ what }) => what)).toContain('parked: 550 5.1.1 <<address>>: no such user')
    expect(parked.conclusion).toMatch(
      /^The relay refused the mail that is owed, which said: 550 .* sends it; .* who asks again\.$/,
    )
  })

  it('says of a mail that the relay did not answer that it may have been delivered, and when a copy follows', async () => {
    const at = openMemoryService()
    Object.assign(at.transport, { keepsMails: false })
    await subscribe(at, EMAIL)
    failWith(at, new MailUnanswered('The mail may have been delivered: no answer.'))
    await deliver(at)
    const tried = await explain(at)
    expect(steps(tried)).toEqual([
      [0, 'requested (form)', 'default', false],
      [0, 'confirmation mail owed', 'default', expect.any(Number)],
      [0, 'mail given to the relay, which has not answered', 'default', false],
      [0, 'tried once: The mail may have been delivered: no answer.', 'default', 10],
    ])
    expect(tried.conclusion).toMatch(
      /^The mail that is owed may have been delivered, .* at .*00:10:00\.000Z, .*before\.$/,
    )
    for (const _ of [1, 2]) {
      at.clock.advance(DAY)
      await deliver(at)
    }
    expect((await explain(at)).conclusion).toMatch(/^The mail that is owed may have been delivered, .* sends a copy\.$/)
  })

  it('says first what stops every mail', async () => {
    const at = openMemoryService()
    await subscribe(at, EMAIL)
    await refuse(at, await mailedToken(at, 'refuse'))
    const refused = await explain(at, 'ADA+news@example.com')
    expect(refused).toMatchObject({
      email: 'ADA+news@example.com',
      suppression: { cause: 'refused' },
      subscriptions: [],
    })
    expect(refused.conclusion).toMatch(/because its owner refused, and has no subscription: a mail goes out after/)
    expect((await explain(at)).conclusion).toMatch(
      /because its owner refused: only the link to the preferences page goes out, now and/,
    )
    await at.useCases.requestPreferences.execute({ email: EMAIL })
    await deliver(at)
    expect((await explain(at)).conclusion).toMatch(/^The mail that is owed/)
    at.clock.advance(HOUR)
    await deliver(at)
    expect((await explain(at)).conclusion).toMatch(
      /the link to the preferences page goes out, from .* on and once in 30/,
    )
    await setUndeliverable(at, 'bob@example.com', '5.1.1')
    const undeliverable = await explain(at, 'bob@example.com')
    expect(undeliverable).toMatchObject({
      deliverability: 'undeliverable',
      timeline: [{ what: 'undeliverable: 5.1.1' }],
    })
    expect(undeliverable.conclusion).toMatch(/came back \(5\.1\.1\): until/)
    await setUndeliverable(at, 'bob@example.com', undefined)
    expect((await explain(at, 'bob@example.com')).conclusion).toMatch(/^Mails to the address came back: until/)
  })

  it('says of a request that it is not carried out yet, or why it could not be', async () => {
    const at = openMemoryService()
    const address = addressHash(DIGESTS, EMAIL)
    const asked = { kind: 'preferences', addressKey: EMAIL } as const
    await at.storage.unitOfWork.run(({ requests }) =>
      requests.add({ at: at.clock.now(), address, asked, traceContext: undefined }),
    )
    expect((await explain(at)).conclusion).toMatch(/^What was asked for last is not carried out yet/)
    await at.storage.unitOfWork.run(async ({ requests }) => {
      for (const { id } of await requests.ofAddress(address)) await requests.park(id, at.clock.now(), 'No disk.')
    })
    expect((await explain(at)).conclusion).toBe(
      'What was asked for could not be carried out: No disk. Put that right, and `rollcall outbox retry` carries it out.',
    )
  })

  it("says of a block, and of 'never again', that a mail that waits does not go out either", async () => {
    const { at } = await withThree()
    const token = await linkOf(at)
    await subscribe(at, EMAIL, { feed: 'others' })
    await change(at, token, 'never-again')
    expect((await explain(at)).conclusion).toMatch(
      /^The address is suppressed since 2026-01-05T00:00:00\.000Z because its owner said 'never again': only the link/,
    )
    const since = at.clock.now()
    await at.storage.unitOfWork.run((stores) =>
      blockMailbox(stores, { digests: DIGESTS, clock: at.clock }, EMAIL, { cause: 'blocked', since }),
    )
    await subscribe(at, EMAIL, { feed: 'others' })
    expect((await explain(at)).conclusion).toBe(
      'Every mail to the address is stopped since 2026-01-05T00:00:00.000Z (blocked): a mail goes out after `rollcall suppression lift`.',
    )
  })

  it.each([
    ['default', 'news'],
    ['news', 'default'],
  ])('tells of the mail that goes out first, if that of %s was tried and that of %s was not', async (feed, other) => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    await subscribe(at, EMAIL, { feed })
    failWith(at, new Error('421 Too busy'))
    await deliver(at)
    await subscribe(at, EMAIL, { feed: other })
    expect((await explain(at)).conclusion).toMatch(/^The mail that is owed is due/)
  })

  it('does not take a mail that was given up for one that may have arrived, and quotes the relay as a sentence', async () => {
    const at = openMemoryService()
    await subscribe(at, EMAIL)
    await deliver(at)
    at.clock.advance(HOUR)
    await subscribe(at, EMAIL)
    failWith(at, new MailRefusedPermanently('550 5.1.1 Unknown. Go away.'))
    await deliver(at)
    expect((await explain(at)).conclusion).toMatch(
      /^The relay refused the mail that is owed, which said: 550 5\.1\.1 Unknown\. Go away: put that right/,
    )
  })

  it('says of a reminder when it is tried again, and nothing of one that was given up', async () => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'default', remindAfter: '2d' }, ADMIN)
    await subscribe(at, EMAIL)
    await deliver(at)
    at.clock.advance(2 * DAY)
    await at.useCases.queueReminders.execute()
    failWith(at, new Error('421 Too busy'))
    await deliver(at)
    expect((await explain(at)).conclusion).toMatch(/: it goes out at 2026-01-03T00:00:0/)
    at.clock.advance(HOUR)
    failWith(at, REFUSED)
    await deliver(at)
    expect((await explain(at)).conclusion).toMatch(/^No mail is owed, and a subscription waits/)
  })

  it('shows feedback that waits for an administrator', async () => {
    const at = openMemoryService()
    const address = addressHash(DIGESTS, 'bob@example.com')
    const report = { caller: 'mailer', channel: 'http', kind: 'complaint', permanent: false } as const
    const unknown = { feeds: undefined, subscription: undefined, status: undefined }
    const since = at.clock.now()
    await at.storage.unitOfWork.run(({ feedback }) =>
      feedback.add({ ...report, ...unknown, address, mailbox: address, at: since, since }),
    )
    const { timeline, conclusion } = await explain(at, 'bob@example.com')
    expect(timeline).toMatchObject([
      { at: since, what: 'complaint reported by mailer, waits for an administrator (feedback 1)' },
    ])
    expect(conclusion).not.toMatch(/complaint/)
  })

  it('shows the weekly cap of an undeliverable address, and when the next mail may go', async () => {
    const at = await openWithFeeds('weekly')
    await report(at, [bounce(await confirmed(at, EMAIL))])
    await linkOf(at)
    const { timeline, conclusion } = await explain(at)
    expect(timeline.at(-1)?.what).toBe('mail sent')
    expect(conclusion).toMatch(/at most one mail a week goes out, the next from 2026-01-09T00:00:00\.000Z on\.$/)
    at.clock.advance(HOUR)
    await subscribe(at, EMAIL, { feed: 'weekly' })
    await deliver(at)
    expect(steps(await explain(at)).at(-1)).toEqual([
      25 * 60,
      'held by the cap of one mail in a week',
      'weekly',
      8 * 24 * 60,
    ])
    at.clock.advance(7 * DAY)
    expect((await explain(at)).conclusion).toMatch(/the next now\.$/)
  })

  it('shows the mail to a new address there, and the notice to the old one here', async () => {
    const { at, token } = await withRequest('capped@example.org')
    expect((await explain(at)).timeline.map(({ what }) => what)).toContain('change of address asked for at the new one')
    const asked = await explain(at, 'capped@example.org')
    expect(asked.timeline.map(({ what }) => what)).toEqual(['mail sent'])
    at.clock.advance(MINUTE)
    await carryOut(at, token)
    const { timeline, conclusion } = await explain(at)
    const notice = 'mail that tells the old address of the move'
    expect(timeline.filter(({ what }) => what.startsWith(notice))).toMatchObject([
      { what: `${notice} owed`, feed: 'default' },
    ])
    expect(timeline).toContainEqual(expect.objectContaining({ what: 'moved to another address, which can be undone' }))
    expect(conclusion).toMatch(/^The mail that is owed is due/)
    expect((await explain(at, 'capped@example.org')).timeline.map(({ what }) => what)).not.toContain(`${notice} owed`)
    await deliver(at)
    const after = await explain(at)
    expect(after.timeline.map(({ what }) => what)).toContain(`${notice} was queued, and is in the outbox no more`)
    expect(after.conclusion).toMatch(/^No mail is owed/)
    await undo(at, tokenOf(at, 'undo'))
    expect((await explain(at)).timeline.map(({ what }) => what)).not.toContain(
      `${notice} was queued, and is in the outbox no more`,
    )
  })

  it('says of an undeliverable address that the notice of its move goes out all the same', async () => {
    const { at, token } = await withRequest()
    await carryOut(at, token)
    await setUndeliverable(at, EMAIL, '5.1.1')
    expect((await explain(at)).conclusion).toMatch(/^The mail that is owed is due/)
    await deliver(at)
    expect((await explain(at)).conclusion).toMatch(/^Mails to the address came back \(5\.1\.1\)/)
  })

  it('shows which cap holds the mail back that asks a new address', async () => {
    const { at } = await withThree()
    const token = await linkOf(at)
    await subscribe(at, 'new@example.org')
    await deliver(at)
    at.clock.advance(MINUTE)
    await askToMove(at, token, 'new@example.org')
    await deliver(at)
    const { timeline, conclusion } = await explain(at, 'new@example.org')
    expect(timeline.slice(-2)).toMatchObject([
      { what: 'mail that asks a new address owed', feed: 'default' },
      { what: 'held by the cap of one mail in 10 minutes', feed: 'default' },
    ])
    expect(conclusion).toMatch(/^The mail that is owed goes out by itself at .* when the cap of one mail in 10 minutes/)
  })

  it('says of a subscribed address that nothing is owed', async () => {
    const at = openMemoryService()
    await subscribe(at, EMAIL)
    await confirm(at, await mailedToken(at, 'confirm'))
    expect((await explain(at)).conclusion).toBe(
      'No mail is owed, and the address is subscribed: a sign-up, also to the same feed, makes a mail go out at 2026-01-01T00:10:00.000Z, when the cap of one mail in 10 minutes allows it.',
    )
    at.clock.advance(DAY)
    expect((await explain(at)).conclusion).toMatch(/^No mail is owed, and the address is subscribed/)
  })

  it('is on record by the hash of the address, and for those who may read subscriptions', async () => {
    const at = openMemoryService()
    await explain(at)
    const target = addressHash(DIGESTS, EMAIL)
    expect(await auditOf(at)).toMatchObject([{ actor: 'eve', action: 'subscription.explain', target, outcome: 'done' }])
    await expect(explain(at, EMAIL, NO_ROLES)).rejects.toThrow(InsufficientPermissions)
    await expect(explain(at, 'nonsense')).rejects.toThrow(InvalidInput)
  })
})
