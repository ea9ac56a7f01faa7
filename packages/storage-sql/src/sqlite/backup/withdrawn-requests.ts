import type { FeedName, PublicRequest, SubscriptionId } from '@rollcall/core'
import { type RequestRow, toRequest } from '../../tables/requests.ts'
import { type Connection, pluck } from '../connection.ts'

/** The id that the subscription of an address to a feed has; of the service's secret. */
export type IdOf = (feed: FeedName, addressKey: string) => SubscriptionId

/**
 * Subscriptions that were erased or ended in the database that is replaced, and not begun again; `since` is the condition of
 * events that came after the backup. A request that waited in it may have become one of them.
 */
export const withdrawnSince = (connection: Connection, since: string): ReadonlySet<SubscriptionId> =>
  new Set(
    pluck<SubscriptionId>(
      connection,
      // SQLite takes the type from the row that has the greatest id.
      `SELECT CAST(subject AS INTEGER) FROM (SELECT subject, type, max(id) FROM replaced.event WHERE ${since} AND type IN
          ('subscription.pending', 'subscription.confirmed', 'subscription.ended', 'subscription.erased') GROUP BY subject)
        WHERE type IN ('subscription.ended', 'subscription.erased')`,
    ),
  )

/** Takes out what waits about an address whose user was deleted since. */
export const forgetRequests = (connection: Connection, addressKey: string): void => {
  connection.prepare("DELETE FROM sign_up_request WHERE asked ->> '$.addressKey' = ?").run(addressKey)
}

/** Takes out what waits about subscriptions that were withdrawn since; how many. */
export const withdrawRequests = (
  connection: Connection,
  withdrawn: ReadonlySet<SubscriptionId>,
  idOf: IdOf,
): number => {
  const remove = connection.prepare('DELETE FROM sign_up_request WHERE id = ?')
  const waiting = connection.prepare<[], RequestRow>('SELECT * FROM sign_up_request').all().map(toRequest)
  const gone = waiting.filter(({ asked }) => subscriptionsOf(asked, idOf).some((id) => withdrawn.has(id)))
  for (const { id } of gone) remove.run(id)
  return gone.length
}

const subscriptionsOf = (asked: PublicRequest, idOf: IdOf): readonly SubscriptionId[] => {
  if (asked.kind === 'sign-up') return asked.feeds.map(({ feed }) => idOf(feed, asked.addressKey))
  return 'subscription' in asked ? [asked.subscription] : []
}
