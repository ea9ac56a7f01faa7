import type { Deliverability } from '../feedback/deliverability-store.ts'
import { deliverabilityOrNull, type PublishedSubscription, subscriptionRecord } from './subscription-record.ts'
import { type PublishedUser, userRecord } from './user-record.ts'

/** What of the export of a user comes before its lists, which may be long. */
export interface PublishedUserExport {
  readonly user: PublishedUser
  readonly subscriptions: readonly PublishedSubscription[]
  readonly deliverability: Pick<Deliverability, 'since' | 'state' | 'status'> | undefined
}

export const userExportRecord = ({ user, subscriptions, deliverability }: PublishedUserExport) => ({
  user: userRecord(user),
  subscriptions: subscriptions.map(subscriptionRecord),
  deliverability: deliverabilityOrNull(deliverability),
})
