import { DELIVERY_LEASE } from '../outbox/claim-mails.ts'
import type { Claim } from '../outbox/outbox-store.ts'
import type { Position } from '../page.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Needs } from '../use-case.ts'
import type { Webhook, WebhookName } from './webhook.ts'
import type { WebhookDelivery } from './webhook-delivery-store.ts'
import { isUnwell, remembered } from './webhook-progress.ts'

/** A leased delivery, and its target. */
export interface DueDelivery {
  readonly delivery: WebhookDelivery
  /** The owner of the lease. */
  readonly owner: string
  readonly webhook: Webhook
  /** Whether it is the one try that a resting target gets. */
  readonly isProbe: boolean
}

export interface ClaimedDeliveries {
  /** Whether anything was done at all, so that it is worth asking again. */
  readonly moved: boolean
  readonly due: readonly DueDelivery[]
}

export const NONE_CLAIMED: ClaimedDeliveries = { moved: false, due: [] }

/** How many events one unit of work reads: others wait for it. */
const STRETCH = 100
/** Further events stay in the log until there is room; a target that is well may refuse some, and take others. */
const MOST_WAITING = { well: 5_000, unwell: 2_000 }

/** Leases what is due to a target for one worker; if there is room, the next events in the log are queued and due at once. */
export const claimDeliveries = async (
  stores: Stores,
  { clock }: Needs<'clock'>,
  name: WebhookName,
  { limit, owner }: Pick<Claim, 'limit' | 'owner'>,
): Promise<ClaimedDeliveries> => {
  const { webhooks, webhookDeliveries } = stores
  const [webhook, stored] = await Promise.all([webhooks.find(name), webhookDeliveries.progress(name)])
  const now = clock.now()
  if (!webhook || !stored || webhook.disabled || stored.pausedUntil > now) return NONE_CLAIMED
  let progress = remembered(stored, now)
  const isProbe = isUnwell(progress)
  const most = isProbe ? 1 : limit
  const lease = (count: number) =>
    webhookDeliveries.claim({ webhook: name, owner, limit: count, leaseFor: DELIVERY_LEASE })
  let leased = await lease(most)
  // One that rests, too: what it refuses must not keep out what it would take.
  if (isProbe || leased.length < most) {
    const mostWaiting = isProbe ? MOST_WAITING.unwell : MOST_WAITING.well
    const cursor = await takeIn(stores, webhook, stored.cursor, mostWaiting)
    if (cursor !== undefined) progress = { ...progress, cursor }
    if (cursor !== undefined) leased = [...leased, ...(await lease(most - leased.length))]
  }
  const moved = progress !== stored || leased.length > 0
  const deliveries = await wantedOf(stores, webhook, owner, leased)
  // No other worker may make the one try that it gets, too.
  if (isProbe && deliveries.length > 0) progress = { ...progress, pausedUntil: now + DELIVERY_LEASE }
  if (progress !== stored) await webhookDeliveries.putProgress(name, progress)
  return { moved, due: deliveries.map((delivery) => ({ delivery, owner, webhook, isProbe })) }
}

/** Those that the target still wants: of what was taken from it since, what waited goes. */
const wantedOf = async (
  { webhookDeliveries }: Stores,
  { types }: Webhook,
  owner: string,
  deliveries: readonly WebhookDelivery[],
): Promise<readonly WebhookDelivery[]> => {
  const isWanted = ({ event }: WebhookDelivery): boolean => types.includes(event.type)
  const unwanted = deliveries.filter((one) => !isWanted(one)).map(({ id }) => id)
  if (unwanted.length === 0) return deliveries
  await webhookDeliveries.settleMany(owner, unwanted)
  return deliveries.filter(isWanted)
}

/** Queues those of the next events that the target wants; where it is then, or undefined if it stays where it is. */
const takeIn = async (
  { events, webhookDeliveries }: Stores,
  { name, types }: Webhook,
  cursor: Position,
  mostWaiting: number,
): Promise<Position | undefined> => {
  if ((await webhookDeliveries.waiting(name)) >= mostWaiting) return undefined
  const { items } = await events.list({ after: cursor, limit: STRETCH })
  const wanted = items.filter(({ type }) => types.includes(type))
  if (wanted.length > 0) await webhookDeliveries.add(name, wanted)
  return items.at(-1)?.position
}
