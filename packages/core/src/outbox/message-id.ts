import type { Randomness } from '../ports/randomness.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'

/** The left side of a new mail's Message-ID. The id in front lets a store of mail files be swept by subscription. */
export const messageIdFor = (id: SubscriptionId, randomness: Randomness): string =>
  `${id.toString(36)}.${randomness.hex(12)}`
