import type { Attempt } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { subscriptionEvent } from '../events/event-store.ts'
import type { Instant } from '../instant.ts'
import type { Page } from '../page.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import type { Stores } from '../unit-of-work.ts'
import type { FeedName } from './feed.ts'
import { asFieldValues, type FieldValues } from './feed-fields.ts'

/** So many are read at a time, and so many changed in one unit of work: others wait for it. */
const STRETCH = 500
const BATCH = 50

type Erasing = Pick<Dependencies, 'unitOfWork' | 'clock' | 'trail'> & {
  readonly readers: Pick<Dependencies['readers'], 'subscriptions'>
}

/**
 * Erases the values of those fields of a feed that are marked for it, step by step and in bounded memory; then the fields
 * are gone. If it is interrupted, doing it again finishes it. Who keeps a copy of the confirmed ones hears of it by an event
 * for each; the trail says from how many subscriptions values were erased.
 */
export const eraseMarkedFields = async (
  { unitOfWork, clock, trail, readers: { subscriptions } }: Erasing,
  name: FeedName,
  caller: Caller,
  attempt: Attempt,
): Promise<void> => {
  const names = await unitOfWork.run(async ({ feeds }) => {
    const feed = await feeds.find(name)
    return feed?.fields.filter(({ erasing }) => erasing).map((field) => field.name) ?? []
  })
  if (names.length === 0) return
  const hasOne = ({ fields }: Subscription) => fields !== undefined && names.some((one) => Object.hasOwn(fields, one))
  let count = 0
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { items, next }: Page<Subscription> = await subscriptions.list({ feed: name, after, limit: STRETCH })
    const ids = items.filter(hasOne).map(({ id }) => id)
    for (let at = 0; at < ids.length; at += BATCH)
      count += await unitOfWork.run((stores) => eraseFrom(stores, ids.slice(at, at + BATCH), names, clock.now()))
    after = next
  }
  await unitOfWork.run(async (stores) => {
    const feed = await stores.feeds.find(name)
    if (feed === undefined) return
    await stores.feeds.put({ ...feed, fields: feed.fields.filter((one) => !(one.erasing && names.includes(one.name))) })
    const reason = `fields erased: ${names.join(', ')}; subscriptions that had values: ${count}`
    await trail.done(stores.audit, caller, attempt, reason)
  })
}

const eraseFrom = async (
  { subscriptions, events }: Stores,
  ids: readonly SubscriptionId[],
  names: readonly string[],
  now: Instant,
): Promise<number> => {
  let count = 0
  for (const id of ids) {
    const subscription = await subscriptions.find(id)
    if (subscription?.fields === undefined) continue
    await subscriptions.put({ ...subscription, fields: without(subscription.fields, names) })
    if (subscription.status === 'confirmed')
      await events.append(subscriptionEvent('subscription.updated', subscription, now))
    count++
  }
  return count
}

/** The values of other fields; undefined if there is none. */
export const without = (values: FieldValues, names: readonly string[]): FieldValues | undefined =>
  asFieldValues(Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name))))
