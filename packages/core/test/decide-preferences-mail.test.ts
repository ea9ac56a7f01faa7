import { expect, it } from 'vitest'
import { aFeed, aSubscription } from '../contract/samples.ts'
import type { Subscription } from '../src/index.ts'
import { decidePreferencesMail, type PreferencesFacts } from '../src/subscriptions/preferences-mail.ts'

const to = (id: number, status: Subscription['status'], deletingSince?: number) => ({
  subscription: aSubscription(id, { status }),
  feed: aFeed('a', { deletingSince }),
})
const decide = (facts: Partial<PreferencesFacts>) => {
  const decision = decidePreferencesMail({ isSuppressed: false, subscriptions: [], isWaiting: false, ...facts })
  return 'mail' in decision ? decision.mail.subscription.id : decision
}

const confirmed = to(1, 'confirmed')
const pending = to(2, 'pending')
const ended = to(3, 'ended')
const confirmedToFeedThatGoes = to(4, 'confirmed', 5)

it.each<[string, Partial<PreferencesFacts>, unknown]>([
  ['nothing is stored of the address', {}, { turnedAwayBy: 'unknown-address' }],
  ['it wants no mail', { isSuppressed: true, subscriptions: [confirmed] }, { turnedAwayBy: 'suppressed' }],
  ['one waits', { isWaiting: true, subscriptions: [pending] }, { turnedAwayBy: 'mail-cap' }],
  ['there is one that will last: it is for that', { subscriptions: [ended, pending, confirmed] }, 1],
  ['none is confirmed: it is for one that is pending', { subscriptions: [ended, pending] }, 2],
  ['all have ended: it is for one of these', { subscriptions: [ended] }, 3],
  ['a feed is being deleted: it is rather for another', { subscriptions: [confirmedToFeedThatGoes, ended] }, 3],
  ['there is no other', { subscriptions: [confirmedToFeedThatGoes] }, 4],
])('the mail with the link to the preferences, where %s', (_, facts, expected) => {
  expect(decide(facts)).toEqual(expected)
})
