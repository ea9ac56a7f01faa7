import { describe, expect, it } from 'vitest'
import { aSubscription, feedName, hashOf } from '../contract/samples.ts'
import {
  DAY,
  decideSignUp,
  factsAfter,
  HOUR,
  MINUTE,
  type SignUp,
  type SignUpFacts,
  type Subscription,
} from '../src/index.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const LINK_LIFE = 7 * DAY
const ADDRESS = hashOf('ada')
const SOURCE = { via: 'form', clientAddress: '192.0.2.0/24', userAgent: 'curl/8' }

/** A form for these feeds, whose subscriptions have the ids 1, 2, 3. */
const form = (feeds: readonly string[] = ['a'], changes: Partial<SignUp> = {}): SignUp => ({
  ...{
    at: NOW - 1,
    email: 'Ada@example.com',
    addressKey: 'ada@example.com',
    address: ADDRESS,
    name: 'Ada',
    locale: 'de',
    source: SOURCE,
  },
  feeds: feeds.map((feed, n) => ({
    ...{ feed: feedName(feed), wording: `${feed}/1`, fields: undefined, id: n + 1, episode: `episode ${n + 1}` },
  })),
  group: feeds.length > 1 ? 'group' : undefined,
  ...changes,
})

const known = (id: number, changes: Partial<Subscription>): Subscription => ({
  ...aSubscription(id, { feed: feedName('abc'.charAt(id - 1)), addressKey: 'ada@example.com', name: 'Before' }),
  ...{ episode: `old ${id}`, createdAt: NOW - 9 * DAY, lastMail: 70 + id, ...changes },
})
const pending = (id: number, changes: Partial<Subscription> = {}) =>
  known(id, { status: 'pending', expiresAt: NOW + id * DAY, ...changes })
const confirmed = (id: number, changes: Partial<Subscription> = {}) =>
  known(id, { status: 'confirmed', confirmedAt: NOW - DAY, expiresAt: undefined, ...changes })
const ended = (id: number) => known(id, { status: 'ended', endedAt: NOW - DAY, expiresAt: undefined })
const expired = (id: number) => pending(id, { expiresAt: NOW })

interface Given {
  readonly stored?: readonly Subscription[]
  /** Those whose mail has not gone out. */
  readonly waiting?: readonly number[]
  /** Those whose mail was given up. */
  readonly parked?: readonly number[]
  readonly rests?: boolean
  /** How long ago mails went to the mailbox. */
  readonly mailed?: readonly number[]
  readonly suppressed?: boolean
  readonly lastConsents?: SignUpFacts['lastConsents']
}

const facts = ({
  stored = [],
  waiting = [],
  parked = [],
  rests = false,
  mailed = [],
  suppressed = false,
  lastConsents = new Map(),
}: Given) => ({
  ...{ suppressed, lastConsents },
  slots: mailed.map((ago) => ({ at: NOW - ago, messageId: `${ago}` })),
  subscriptions: new Map(stored.map((one) => [one.id, one])),
  waiting: new Set(waiting),
  parked: new Set(parked),
  rests,
})

const decide = (given: Given, signUp = form()) => decideSignUp(facts(given), signUp, NOW, LINK_LIFE)

/** What becomes of it, in short: the state of each subscription, the mail, and whose last mail that is. */
const told = (given: Given, signUp = form()) => {
  const { subscriptions, mail, mailed, turnedAwayBy, outdated } = decide(given, signUp)
  return {
    states: subscriptions.map(({ status, name }) => `${status} ${name}`),
    mail: mail && `${mail.kind} of ${mail.subscriptionId}`,
    mailed,
    ...(turnedAwayBy && { turnedAwayBy }),
    ...(outdated.length > 0 && { outdated }),
  }
}

const BEGINS = { states: ['pending Ada'], mail: 'confirmation of 1', mailed: [1] }
const HELD_BACK = { mail: undefined, mailed: [], turnedAwayBy: 'mail-cap' }

describe('a sign-up to one feed', () => {
  it.each<[string, Given, object]>([
    ['begins where nothing is stored', {}, BEGINS],
    ['begins again after an end', { stored: [ended(1)] }, BEGINS],
    ['begins again where the links have expired', { stored: [expired(1)] }, BEGINS],
    ['is owed its mail whatever the caps say', { mailed: [1] }, BEGINS],
    ['takes back the mail of the life before', { stored: [ended(1)], waiting: [1] }, { ...BEGINS, outdated: [1] }],
    ['is the latest form while it is pending, and sends a copy', { stored: [pending(1)] }, BEGINS],
    [
      'sends no copy while the mail waits',
      { stored: [pending(1)], waiting: [1] },
      { states: ['pending Ada'], ...HELD_BACK },
    ],
    [
      'sends no copy within ten minutes',
      { stored: [pending(1)], mailed: [10 * MINUTE - 1] },
      { states: ['pending Ada'], ...HELD_BACK },
    ],
    [
      'sends another in place of a mail that was given up',
      { stored: [pending(1)], parked: [1] },
      { ...BEGINS, outdated: [1] },
    ],
    [
      'leaves a mail that was given up while the caps allow no other',
      { stored: [pending(1)], parked: [1], mailed: [MINUTE] },
      { states: ['pending Ada'], ...HELD_BACK },
    ],
    [
      'leaves a mail that was given up just now',
      { stored: [pending(1)], parked: [1], rests: true },
      { states: ['pending Ada'], ...HELD_BACK },
    ],
    [
      'takes back the mail of the life before that was given up',
      { stored: [ended(1)], parked: [1] },
      { ...BEGINS, outdated: [1] },
    ],
    ['sends a copy after ten minutes', { stored: [pending(1)], mailed: [10 * MINUTE] }, BEGINS],
    [
      'sends no fourth mail in a day',
      { stored: [pending(1)], mailed: [HOUR, 2 * HOUR, DAY - 1] },
      { states: ['pending Ada'], ...HELD_BACK },
    ],
    [
      'sends no seventh mail in a week',
      { stored: [pending(1)], mailed: [1, 2, 3, 4, 5, 6].map((days) => days * DAY) },
      { states: ['pending Ada'], ...HELD_BACK },
    ],
    [
      'changes nothing of what is confirmed, and says so by mail',
      { stored: [confirmed(1)] },
      { states: ['confirmed Before'], mail: 'already-subscribed of 1', mailed: [1] },
    ],
    [
      'says that within the caps alone',
      { stored: [confirmed(1)], mailed: [MINUTE] },
      { states: ['confirmed Before'], ...HELD_BACK },
    ],
    [
      'says that once while the mail waits',
      { stored: [confirmed(1)], waiting: [1] },
      { states: ['confirmed Before'], ...HELD_BACK },
    ],
    [
      'does nothing where the address is suppressed, whatever else is stored',
      { suppressed: true, stored: [ended(1)] },
      { states: [], mail: undefined, mailed: [], turnedAwayBy: 'suppressed' },
    ],
  ])('%s', (_, given, expected) => expect(told(given)).toEqual(expected))

  it('does nothing where the feed has gone', () => {
    expect(told({}, form([]))).toEqual({ states: [], mail: undefined, mailed: [], turnedAwayBy: 'feed-gone' })
  })

  it('begins with what the form gives, an episode of its own and a link that lives from now on', () => {
    const fields = { company: 'ACME' }
    const [feed] = form().feeds
    const { subscriptions, mail, began, members } = decide(
      {},
      form(['a'], { feeds: feed ? [{ ...feed, fields }] : [] }),
    )
    expect(subscriptions).toEqual([
      {
        ...{ id: 1, feed: 'a', email: 'Ada@example.com', addressKey: 'ada@example.com', address: ADDRESS },
        ...{ name: 'Ada', locale: 'de' },
        ...{ status: 'pending', episode: 'episode 1', createdAt: NOW, expiresAt: NOW + LINK_LIFE, fields },
        ...{ confirmedAt: undefined, endedAt: undefined, lastMail: undefined, preferencesMail: undefined },
      },
    ])
    expect(mail).toEqual({
      ...{ kind: 'confirmation', subscriptionId: 1, expiresAt: NOW + LINK_LIFE, signUpGroup: undefined },
    })
    expect(began).toEqual(subscriptions)
    expect(members).toEqual([])
  })

  it('keeps the time of its first life after an end, and not after an expiry', () => {
    const createdAt = (stored: Subscription) => decide({ stored: [stored] }).subscriptions[0]?.createdAt
    expect([createdAt(ended(1)), createdAt(expired(1))]).toEqual([NOW - 9 * DAY, NOW])
  })

  it('knows the mails of the life before', () => {
    const { subscriptions } = decide({ stored: [{ ...ended(1), preferencesMail: 72 }] })
    expect(subscriptions).toMatchObject([{ lastMail: 71, preferencesMail: 72 }])
  })

  it('keeps episode and expiry of one that is pending, and its values are those of the latest form', () => {
    const { subscriptions, mail, began } = decide({ stored: [pending(1, { fields: { company: 'Before' } })] })
    expect(subscriptions).toMatchObject([{ episode: 'old 1', expiresAt: NOW + DAY, fields: undefined, locale: 'de' }])
    expect([mail?.expiresAt, began]).toEqual([NOW + DAY, []])
  })
})

describe('the consent to a sign-up', () => {
  const consent = (lastConsents: Given['lastConsents'], given: Given = {}) =>
    decide({ ...given, ...(lastConsents && { lastConsents }) }).consents[0]
  const requestedAt = (at: number) => new Map([[1, { deed: 'requested', at }]] as const)

  it('has the time of the form, its wording and its language', () => {
    expect(consent(undefined)).toEqual({
      ...{ id: 1, repeats: false },
      record: { ...SOURCE, at: NOW - 1, deed: 'requested', wording: 'a/1', language: 'de', count: 1 },
    })
  })

  it.each([
    ['repeats a request of the last ten minutes', pending(1), requestedAt(NOW - 10 * MINUTE), true],
    ['repeats none that is older', pending(1), requestedAt(NOW - 1 - 10 * MINUTE), false],
    ['repeats no other deed', confirmed(1), new Map([[1, { deed: 'confirmed', at: NOW - 2 }]] as const), false],
    ['repeats nothing of a life before', ended(1), requestedAt(NOW - 2), false],
  ])('%s', (_, stored, lastConsents, repeats) => {
    expect(consent(lastConsents, { stored: [stored] })?.repeats).toBe(repeats)
  })
})

describe('a sign-up to several feeds', () => {
  const three = form(['a', 'b', 'c'])

  it.each<[string, Given, object]>([
    [
      'is one mail about all that begin',
      {},
      { states: ['pending Ada', 'pending Ada', 'pending Ada'], mail: 'confirmation of 1', mailed: [1, 2, 3] },
    ],
    [
      'asks to confirm what begins and what is pending, and leaves alone what is confirmed',
      { stored: [confirmed(1), pending(2)] },
      { states: ['confirmed Before', 'pending Ada', 'pending Ada'], mail: 'confirmation of 3', mailed: [2, 3] },
    ],
    [
      'is owed for what begins, though a cap would hold it back, and leaves the mail that waits as it is',
      { stored: [pending(1)], waiting: [1], mailed: [1] },
      { states: ['pending Ada', 'pending Ada', 'pending Ada'], mail: 'confirmation of 2', mailed: [2, 3] },
    ],
    [
      'lives as long as the longest of those that are pending',
      { stored: [pending(1), pending(2), pending(3)] },
      { states: ['pending Ada', 'pending Ada', 'pending Ada'], mail: 'confirmation of 3', mailed: [1, 2, 3] },
    ],
    [
      'sends no copy where one of the mails waits',
      { stored: [pending(1), pending(2), confirmed(3)], waiting: [2] },
      { states: ['pending Ada', 'pending Ada', 'confirmed Before'], ...HELD_BACK },
    ],
    [
      'says that all of them are confirmed',
      { stored: [confirmed(1), confirmed(2), confirmed(3)] },
      {
        ...{ states: ['confirmed Before', 'confirmed Before', 'confirmed Before'] },
        ...{ mail: 'already-subscribed of 1', mailed: [1, 2, 3] },
      },
    ],
  ])('%s', (_, given, expected) => expect(told(given, three)).toEqual(expected))

  it.each<[string, Given, number[]]>([
    ['its mail, if something begins', { stored: [pending(1), pending(2)] }, [LINK_LIFE, LINK_LIFE, LINK_LIFE]],
    ['the longest that is pending', { stored: [pending(1), pending(2), pending(3)] }, [3 * DAY, 3 * DAY, 3 * DAY]],
    [
      'before, if no mail goes',
      { stored: [pending(1), pending(2), pending(3)], mailed: [1] },
      [1 * DAY, 2 * DAY, 3 * DAY],
    ],
  ])('can be confirmed for as long as %s', (_, given, lives) => {
    const { subscriptions } = decide(given, three)
    expect(subscriptions.map(({ expiresAt }) => (expiresAt ?? 0) - NOW)).toEqual(lives)
  })

  it('has a group whose link is good for what is to be confirmed, each in its episode', () => {
    const { mail, members } = decide({ stored: [confirmed(1), pending(2)] }, three)
    expect(mail?.signUpGroup).toBe('group')
    expect(members).toEqual([
      { id: 1, episode: undefined },
      { id: 2, episode: 'old 2' },
      { id: 3, episode: 'episode 3' },
    ])
  })

  it('has no group where no mail is sent', () => {
    const stored = [pending(1), pending(2), pending(3)]
    expect(decide({ stored, mailed: [1] }, three).members).toEqual([])
  })
})

describe('a sign-up right after another of the same address', () => {
  const again = (given: Given, first = form(), second = form(['a'], { name: 'Again', at: NOW })) => {
    const before = facts(given)
    const after = factsAfter(before, decideSignUp(before, first, NOW, LINK_LIFE))
    return decideSignUp(after, second, NOW, LINK_LIFE)
  }

  it('is the latest form, and sends no second mail', () => {
    const { subscriptions, turnedAwayBy, consents } = again({})
    expect(subscriptions).toMatchObject([{ name: 'Again', episode: 'episode 1', createdAt: NOW }])
    expect([turnedAwayBy, consents[0]?.repeats]).toEqual(['mail-cap', true])
  })

  it('repeats a request for ten minutes, and no longer where it was repeated meanwhile', () => {
    const lastConsents = new Map([[1, { deed: 'requested', at: NOW - 9 * MINUTE }]] as const)
    const { consents } = again({ stored: [pending(1)], lastConsents }, form(), form(['a'], { at: NOW + MINUTE }))
    expect(consents[0]?.repeats).toBe(false)
  })

  it('finds what the other has begun among several feeds', () => {
    const { mail, mailed } = again({}, form(['a']), form(['a', 'b']))
    expect([mail?.kind, mail?.subscriptionId, mailed]).toEqual(['confirmation', 2, [2]])
  })

  it('sends one mail in place of one that was given up', () => {
    const { turnedAwayBy, outdated } = again({ stored: [pending(1)], parked: [1] })
    expect([turnedAwayBy, outdated]).toEqual(['mail-cap', []])
  })

  it('does nothing where the other did nothing', () => {
    expect(again({ suppressed: true }).turnedAwayBy).toBe('suppressed')
  })
})
