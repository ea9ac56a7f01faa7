import type { Explanation } from '../explain/explain-subscriptions-use-case.ts'
import { type PublishedSubscription, subscriptionRecord, suppressionOrNull } from './subscription-record.ts'
import { timestamp } from './timestamp.ts'

/** What of an explanation is seen outside. */
export interface PublishedExplanation extends Omit<Explanation, 'subscriptions'> {
  readonly subscriptions: readonly PublishedSubscription[]
}

export const explanationRecord = (explanation: PublishedExplanation) => ({
  email: explanation.email,
  suppression: suppressionOrNull(explanation.suppression),
  deliverability: explanation.deliverability,
  subscriptions: explanation.subscriptions.map(subscriptionRecord),
  timeline: explanation.timeline.map(({ at, what, feed, messageId, until }) => ({
    at: timestamp(at),
    what,
    feed: feed ?? null,
    message_id: messageId ?? null,
    until: timestamp(until),
  })),
  conclusion: explanation.conclusion,
})
