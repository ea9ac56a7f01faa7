import type { Instant } from '../instant.ts'
import type { Feed, FeedName } from '../subscriptions/feed.ts'
import { isExpired, type Subscription } from '../subscriptions/subscription.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import type { SubscriptionReader } from '../subscriptions/subscription-store.ts'
import type { SuppressionReader } from '../subscriptions/suppression-store.ts'
import type { RefusedRow } from './import-report.ts'
import type { ImportRow } from './import-row.ts'

/** What to do with a row, given what is stored. */
export type ImportVerdict =
  | { readonly kind: 'refused'; readonly refusal: RefusedRow }
  | { readonly kind: 'unchanged' }
  /** `old` is pending, and its links have expired: it counts as not there. */
  | { readonly kind: 'begin'; readonly id: SubscriptionId; readonly feed: Feed; readonly old: Subscription | undefined }
  | { readonly kind: 'confirm'; readonly current: Subscription; readonly feed: Feed }

export interface ImportLookups {
  readonly feed: (name: FeedName) => Promise<Feed | undefined>
  readonly subscriptions: Pick<SubscriptionReader, 'locate'>
  readonly suppressions: Pick<SuppressionReader, 'find'>
}

const UNCHANGED: ImportVerdict = { kind: 'unchanged' }

/** A file never brings back a person who has left or asked never to be mailed; a confirmation by the person prevails. */
export const importVerdict = async (row: ImportRow, lookups: ImportLookups, now: Instant): Promise<ImportVerdict> => {
  const feed = await lookups.feed(row.identity.feed)
  if (feed === undefined || feed.deletingSince !== undefined) return refused(row, 'FeedNotFound')
  if ((await lookups.suppressions.find(row.hash)) !== undefined) return refused(row, 'Suppressed')
  const { id, subscription } = await lookups.subscriptions.locate(row.identity)
  if (subscription === undefined || isExpired(subscription, now)) return { kind: 'begin', id, feed, old: subscription }
  return subscription.status === 'pending' && row.status === 'confirmed'
    ? { kind: 'confirm', current: subscription, feed }
    : UNCHANGED
}

const MESSAGES = {
  FeedNotFound: 'There is no such feed. Create it first, or correct the name.',
  Suppressed: 'The owner of this address refused, or said never again. Leave it out; only its owner can come back.',
} as const

const refused = ({ line }: ImportRow, error: keyof typeof MESSAGES): ImportVerdict => ({
  kind: 'refused',
  refusal: { line, error, message: MESSAGES[error] },
})
