import { LEASE } from '../outbox/due-mails.ts'
import type { Clock } from '../platform/clock.ts'
import type { Stores } from '../storage/unit-of-work.ts'
import type { Webhook, WebhookName } from './webhook.ts'
import type { WebhookDelivery } from './webhook-delivery.ts'
import { isUnwell, type WebhookProgress } from './webhook-progress.ts'

/** A leased delivery, and its target. */
export interface DueDelivery {
  readonly delivery: WebhookDelivery
  /** The owner of the lease. */
  readonly owner: string
  readonly webhook: Webhook
  /** Whether the target had failed before. */
  readonly failing: boolean
}

export interface ClaimedDeliveries {
  /** Whether anything was done at all, so that it is worth asking again. */
  readonly moved: boolean
  readonly due: readonly DueDelivery[]
}

/** How many events one unit of work reads: others wait for it. */
const STRETCH = 100
/** Further events stay in the log until there is room. */
const MOST_WAITING = 2_000

/** Takes what is due to a target for one worker; before that, queues the events since its cursor. */
export class DueDeliveries {
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async claim(stores: Stores, name: WebhookName, limit: number, owner: string): Promise<ClaimedDeliveries> {
    const lease = (most: number) =>
      stores.webhookDeliveries.claim({ webhook: name, owner, limit: most, leaseFor: LEASE })
    const webhook = await stores.webhooks.find(name)
    const progress = await stores.webhookDeliveries.progress(name)
    if (!webhook || !progress || webhook.disabled || progress.pausedUntil > this.#clock.now())
      return { moved: false, due: [] }
    const most = isUnwell(progress) ? 1 : limit
    const deliveries = [...(await lease(most))]
    let moved = false
    if (deliveries.length < most && (await this.#takeIn(stores, webhook, progress))) {
      moved = true
      deliveries.push(...(await lease(most - deliveries.length)))
    }
    // No other worker may make the one try that it gets, too.
    if (isUnwell(progress) && deliveries.length > 0) await this.#rest(stores, name, LEASE)
    const failing = progress.failures > 0
    return {
      moved: moved || deliveries.length > 0,
      due: deliveries.map((delivery) => ({ delivery, owner, webhook, failing })),
    }
  }

  /** As if it had never been claimed. */
  async giveBack({ webhookDeliveries }: Stores, { delivery, owner }: DueDelivery): Promise<void> {
    await webhookDeliveries.postpone(delivery.id, owner, { notBefore: delivery.notBefore, attempted: false })
  }

  async #rest({ webhookDeliveries }: Stores, name: WebhookName, milliseconds: number): Promise<void> {
    const progress = await webhookDeliveries.progress(name)
    if (progress)
      await webhookDeliveries.putProgress(name, { ...progress, pausedUntil: this.#clock.now() + milliseconds })
  }

  /** Queues those of the next events that the target wants; whether there were any. */
  async #takeIn(stores: Stores, { name, types }: Webhook, progress: WebhookProgress): Promise<boolean> {
    const { events, webhookDeliveries } = stores
    if ((await webhookDeliveries.waiting(name)) >= MOST_WAITING) return false
    const { items } = await events.list({ after: progress.cursor, limit: STRETCH })
    const last = items.at(-1)
    if (last === undefined) return false
    const wanted = items.filter(({ type }) => types.includes(type))
    if (wanted.length > 0) await webhookDeliveries.add(name, wanted)
    await webhookDeliveries.putProgress(name, { ...progress, cursor: last.position })
    return true
  }
}
