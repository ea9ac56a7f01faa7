import { expect, it } from 'vitest'
import { aFeed, aSubscription } from '../contract/samples.ts'
import { DAY, isBlock, type Subscription, type SuppressionCause } from '../src/index.ts'
import { decidePreferencesMail, type PreferencesFacts } from '../src/preferences/preferences-mail.ts'

const to = (id: number, status: Subscription['status'], deletingSince?: number) => ({
  subscription: aSubscription(id, { status }),
  feed: aFeed('a', { deletingSince }),
})
const decide = (facts: Partial<PreferencesFacts>) => {
  const nothing = { suppression: undefined, lastMailed: undefined, subscriptions: [], isWaiting: false, now: NOW }
  const decision = decidePreferencesMail({ ...nothing, ...facts })
  return 'mail' in decision ? decision.mail.subscription.id : decision
}

const NOW = 100 * DAY
const unwanted = (cause: SuppressionCause, ago?: number): Partial<PreferencesFacts> => ({
  suppression: { cause, since: 1, block: isBlock(cause) ? { cause, since: 1 } : undefined },
  lastMailed: ago && NOW - ago,
})
const confirmed = to(1, 'confirmed')
const pending = to(2, 'pending')
const ended = to(3, 'ended')
const confirmedToFeedThatGoes = to(4, 'confirmed', 5)

it.each<[string, Partial<PreferencesFacts>, unknown]>([
  ['nothing is stored of the address', {}, { turnedAwayBy: 'unknown-address' }],
  ['its owner refused', { ...unwanted('refused'), subscriptions: [ended] }, 3],
  ["its owner said 'never again'", { ...unwanted('never-again'), subscriptions: [ended] }, 3],
  ['that owner had it 30 days ago', { ...unwanted('never-again', 30 * DAY), subscriptions: [ended] }, 3],
  [
    'that owner had it less than 30 days ago',
    { ...unwanted('refused', 30 * DAY - 1), subscriptions: [ended] },
    { turnedAwayBy: 'suppressed' },
  ],
  ['that owner allows mails again', { lastMailed: NOW - 1, subscriptions: [ended] }, 3],
  ['its owner complained', { ...unwanted('complaint'), subscriptions: [ended] }, { turnedAwayBy: 'suppressed' }],
  ['it is blocked', { ...unwanted('blocked'), subscriptions: [confirmed] }, { turnedAwayBy: 'suppressed' }],
  [
    'it is blocked, and its owner refused too',
    {
      suppression: { cause: 'refused', since: 1, block: { cause: 'blocked', since: 1 } },
      subscriptions: [confirmed],
    },
    { turnedAwayBy: 'suppressed' },
  ],
  ['its owner refused and nothing is stored', unwanted('refused'), { turnedAwayBy: 'unknown-address' }],
  ['one waits', { isWaiting: true, subscriptions: [pending] }, { turnedAwayBy: 'mail-cap' }],
  ['there is one that will last: it is for that', { subscriptions: [ended, pending, confirmed] }, 1],
  ['none is confirmed: it is for one that is pending', { subscriptions: [ended, pending] }, 2],
  ['all have ended: it is for one of these', { subscriptions: [ended] }, 3],
  ['a feed is being deleted: it is rather for another', { subscriptions: [confirmedToFeedThatGoes, ended] }, 3],
  ['there is no other', { subscriptions: [confirmedToFeedThatGoes] }, 4],
])('the mail with the link to the preferences, where %s', (_, facts, expected) => {
  expect(decide(facts)).toEqual(expected)
})
