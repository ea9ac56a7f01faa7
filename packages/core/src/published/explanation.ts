import type { Explanation } from '../explain/explain-subscriptions-use-case.ts'
import { publishedSubscription, suppressionOrNull } from './subscription.ts'
import { timestamp } from './timestamp.ts'

export const publishedExplanation = (explanation: Explanation) => ({
  email: explanation.email,
  suppression: suppressionOrNull(explanation.suppression),
  deliverability: explanation.deliverability,
  subscriptions: explanation.subscriptions.map(publishedSubscription),
  timeline: explanation.timeline.map(({ at, what, feed, messageId, until }) => ({
    at: timestamp(at),
    what,
    feed: feed ?? null,
    message_id: messageId ?? null,
    until: timestamp(until),
  })),
  conclusion: explanation.conclusion,
})
