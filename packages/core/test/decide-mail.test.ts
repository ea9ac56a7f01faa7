import { describe, expect, it } from 'vitest'
import {
  DAY,
  type Feed,
  type FeedName,
  HOUR,
  MINUTE,
  type OutboxEntry,
  plainFeed,
  type Subscription,
} from '../src/index.ts'
import { aptMail, decideMail, type MailboxFacts, type MailFacts } from '../src/outbox/decide-mail.ts'

const NOW = Date.UTC(2026, 0, 1)
const NEWS: Feed = { ...plainFeed('news' as FeedName, 0), remindAfter: 2 * DAY }
const WELCOMING: Feed = { ...NEWS, face: { ...NEWS.face, welcome: true } }
const DEALS: Feed = plainFeed('deals' as FeedName, 0)

const entry = (changes: Partial<OutboxEntry> = {}): OutboxEntry => ({
  ...{ id: 7, kind: 'confirmation', subscriptionId: 1, messageId: 'm', address: 'a' as OutboxEntry['address'] },
  ...{ createdAt: NOW - HOUR, notBefore: NOW, expiresAt: NOW + 7 * DAY, attempts: 1 },
  ...{ lastError: undefined, parkedAt: undefined, ...changes },
})
const subscription = (changes: Partial<Subscription> = {}): Subscription => ({
  ...{ id: 1, feed: NEWS.name, email: 'Ada@example.com', address: 'a' as Subscription['address'] },
  ...{ addressKey: 'ada@example.com', name: '', locale: undefined },
  ...{
    status: 'pending',
    episode: 'e',
    createdAt: 0,
    confirmedAt: undefined,
    endedAt: undefined,
    expiresAt: undefined,
  },
  ...{ lastMail: 7, preferencesMail: undefined, fields: undefined, ...changes },
})
const move = (changes: Partial<NonNullable<MailFacts['move']>> = {}): NonNullable<MailFacts['move']> => ({
  ...{ id: 1, address: 'a' as OutboxEntry['address'], newAddress: 'b' as OutboxEntry['address'], mail: 7 },
  ...{ email: 'new@example.com', addressKey: 'new@example.com', episode: 'e', requestedAt: 0, expiresAt: NOW + DAY },
  ...{ movedAt: undefined, undoneAt: undefined, ...changes },
})
const facts = (changes: Partial<MailFacts> = {}): MailFacts => ({
  ...{ entry: entry(), subscription: subscription(), feed: NEWS, members: undefined, move: undefined },
  ...{ askedAgain: false, ...changes },
})
const of = (kind: OutboxEntry['kind'], changes: Partial<OutboxEntry> = {}) => entry({ kind, ...changes })
const confirmed = subscription({ status: 'confirmed' })
const member = (changes: Partial<Subscription>, episode: string | undefined, feed: Feed | undefined = NEWS) => ({
  ...{ subscription: subscription(changes), episode, feed },
})

describe('whether a mail has something to say, and to whom', () => {
  const own = 'Ada@example.com'
  const link = { signUpGroup: 'ff' }
  it.each<[what: string, facts: MailFacts, to: string | undefined, kind?: string, feeds?: readonly string[]]>([
    ['a confirmation, pending', facts(), own, 'confirmation'],
    ['a confirmation, confirmed', facts({ subscription: confirmed }), undefined],
    ['a confirmation, ended', facts({ subscription: subscription({ status: 'ended' }) }), undefined],
    ['a confirmation before another mail', facts({ entry: entry({ id: 6 }) }), own],
    ['of a subscription that is gone', facts({ subscription: undefined }), undefined],
    [
      'a move of a subscription that is gone',
      facts({ entry: of('move'), subscription: undefined, move: move() }),
      undefined,
    ],
    ['of a feed that is gone', facts({ feed: undefined }), undefined],
    ['just before its link expires', facts({ entry: entry({ expiresAt: NOW + 1 }) }), own],
    ['when its link expires', facts({ entry: entry({ expiresAt: NOW }) }), undefined],
    ['that never expires', facts({ entry: entry({ expiresAt: undefined }) }), own],
    ['a copy, confirmed', facts({ entry: of('already-subscribed'), subscription: confirmed }), own],
    ['a copy, pending', facts({ entry: of('already-subscribed') }), undefined],
    ['a welcome', facts({ entry: of('welcome'), feed: WELCOMING, subscription: confirmed }), own],
    ['a welcome of a feed without any', facts({ entry: of('welcome'), subscription: confirmed }), undefined],
    ['a welcome, ended', facts({ entry: of('welcome'), feed: WELCOMING }), undefined],
    ['preferences, ended', facts({ entry: of('preferences'), subscription: subscription({ status: 'ended' }) }), own],
    ['a reminder', facts({ entry: of('reminder') }), own, 'reminder'],
    ['a reminder of another mail', facts({ entry: of('reminder', { id: 8 }) }), undefined],
    ['a reminder of a feed without any', facts({ entry: of('reminder'), feed: DEALS }), undefined],
    ['a reminder whose link lives too short', facts({ entry: of('reminder', { expiresAt: NOW + 1 }) }), undefined],
    [
      'a reminder that was asked for',
      facts({ entry: of('reminder'), feed: DEALS, askedAgain: true }),
      own,
      'confirmation',
    ],
    ['a move', facts({ entry: of('move'), subscription: confirmed, move: move() }), 'new@example.com'],
    ['a move, whatever became of the subscription', facts({ entry: of('move'), move: move() }), 'new@example.com'],
    ['a move that is gone', facts({ entry: of('move'), subscription: confirmed }), undefined],
    ['a move with a later mail', facts({ entry: of('move'), move: move({ mail: 8 }) }), undefined],
    ['a move whose address is forgotten', facts({ entry: of('move'), move: move({ email: undefined }) }), undefined],
    ['of what has moved', facts({ entry: of('moved'), subscription: confirmed, move: move({ movedAt: 5 }) }), own],
    ['of what has moved, pending', facts({ entry: of('moved'), move: move({ movedAt: 5 }) }), own],
    ['of what has not moved', facts({ entry: of('moved'), move: move() }), undefined],
    ['of what was undone', facts({ entry: of('moved'), move: move({ movedAt: 5, undoneAt: 6 }) }), undefined],
    [
      'about several feeds, one of them pending in this life',
      facts({
        entry: entry(link),
        subscription: confirmed,
        members: [member({ status: 'confirmed' }, 'e'), member({}, 'e', DEALS)],
      }),
      ...([own, 'confirmation', ['news', 'deals']] as const),
    ],
    ['about several feeds, none in this life', facts({ entry: entry(link), members: [member({}, 'f')] }), undefined],
    ['about several feeds, all gone', facts({ entry: entry(link), members: [] }), undefined],
    [
      'a reminder of several feeds, without those that are confirmed or gone',
      facts({
        entry: of('reminder', link),
        members: [
          member({ status: 'confirmed' }, 'e', DEALS),
          member({}, 'e'),
          { ...member({}, 'e'), feed: undefined },
        ],
      }),
      ...([own, 'reminder', ['news']] as const),
    ],
  ])('%s', (_, given, to, kind, feeds) => {
    const apt = aptMail(given, NOW)
    expect([apt !== undefined, apt?.to.email]).toEqual([to !== undefined, to])
    if (kind) expect(apt?.entry.kind).toBe(kind)
    expect(apt?.feeds?.map(({ name }) => name)).toEqual(feeds)
  })
})

describe('whether a mail goes now', () => {
  const at = (ago: number, messageId = 'other', reminder?: true) => ({
    at: NOW - ago,
    messageId,
    ...(reminder && { reminder }),
  })
  const mailbox = (changes: Partial<MailboxFacts> = {}): MailboxFacts => ({
    ...{ suppression: undefined, undeliverable: false, slots: [], ...changes },
  })
  const unwanted = (since = NOW - DAY) => ({ cause: 'never-again', since, block: undefined }) as const
  const BLOCKED = { cause: 'blocked', since: 0, block: { cause: 'blocked', since: 0 } } as const
  const with_ = (...slots: MailboxFacts['slots']) => mailbox({ slots })
  const mine = { at: NOW, messageId: 'm' }
  const tried = expect.stringMatching(/^The mail may have been delivered/)

  it.each<[what: string, kind: OutboxEntry['kind'], mailbox: MailboxFacts, replaces: boolean, decision: object]>([
    ['the first', 'confirmation', with_(), false, { does: 'send', slots: [mine] }],
    ['to an owner who wants no mail', 'confirmation', mailbox({ suppression: unwanted() }), false, { does: 'drop' }],
    [
      'the link to the preferences, to an owner who wants no mail',
      ...(['preferences', mailbox({ suppression: unwanted() }), false] as const),
      { does: 'send', slots: [mine] },
    ],
    [
      'the link to the preferences, within the caps',
      ...(['preferences', mailbox({ suppression: unwanted(), slots: [at(MINUTE)] }), false] as const),
      { does: 'hold', until: NOW + 9 * MINUTE },
    ],
    [
      'the link to the preferences, asked for before its owner wanted no mail',
      ...(['preferences', mailbox({ suppression: unwanted(NOW) }), false] as const),
      { does: 'drop' },
    ],
    ['the link to the preferences, blocked', 'preferences', mailbox({ suppression: BLOCKED }), false, { does: 'drop' }],
    [
      'the link to the preferences, blocked and unwanted',
      ...(['preferences', mailbox({ suppression: { ...unwanted(), block: BLOCKED.block } }), false] as const),
      { does: 'drop' },
    ],
    [
      'of a move that is done, to a mailbox that wants no mails',
      'moved',
      mailbox({ suppression: unwanted() }),
      false,
      { does: 'send', slots: [] },
    ],
    [
      'of a move that is done, to a blocked mailbox',
      'moved',
      mailbox({ suppression: BLOCKED }),
      false,
      { does: 'drop' },
    ],
    ['of a move that is done: outside the caps', 'moved', with_(at(0)), false, { does: 'send', slots: [at(0)] }],
    [
      'a minute after another',
      ...(['confirmation', with_(at(MINUTE)), false] as const),
      { does: 'hold', until: NOW + 9 * MINUTE, slots: [at(MINUTE)] },
    ],
    [
      'ten minutes after another',
      'confirmation',
      with_(at(10 * MINUTE)),
      false,
      { does: 'send', slots: [at(10 * MINUTE), mine] },
    ],
    [
      'after a reminder',
      'confirmation',
      with_(at(0, 'r', true)),
      false,
      { does: 'send', slots: [at(0, 'r', true), mine] },
    ],
    [
      'the fourth of a day',
      ...(['confirmation', with_(at(20 * HOUR), at(10 * HOUR), at(HOUR)), false] as const),
      { does: 'hold', until: NOW + 4 * HOUR },
    ],
    [
      'the second of a week to who is undeliverable',
      ...(['confirmation', mailbox({ undeliverable: true, slots: [at(DAY)] }), false] as const),
      { does: 'hold', until: NOW + 6 * DAY },
    ],
    [
      'tried before',
      'confirmation',
      with_(at(MINUTE, 'm')),
      false,
      { does: 'hold', until: NOW + 9 * MINUTE, error: tried },
    ],
    [
      'tried before, and another after it',
      ...(['confirmation', with_(at(MINUTE, 'm'), at(0)), false] as const),
      { does: 'hold', until: NOW + 10 * MINUTE, error: tried },
    ],
    ['tried before, as a file', 'confirmation', with_(at(MINUTE, 'm')), true, { does: 'send', slots: [mine] }],
    [
      'after one from the future',
      'confirmation',
      with_(at(-DAY)),
      false,
      { does: 'hold', until: NOW + 10 * MINUTE, slots: [at(0)] },
    ],
    ['a reminder', 'reminder', with_(), false, { does: 'send', slots: [{ ...mine, reminder: true }] }],
    ['a reminder after another mail', 'reminder', with_(at(MINUTE)), false, { does: 'drop' }],
    ['a reminder to who is undeliverable', 'reminder', mailbox({ undeliverable: true }), false, { does: 'drop' }],
  ])('%s', (_, kind, known, replaces, decision) => {
    const made = {
      error: undefined,
      ...decideMail({ kind, messageId: 'm', createdAt: NOW - HOUR }, known, NOW, replaces),
    }
    expect(made).toMatchObject({ error: undefined, ...decision })
  })
})
