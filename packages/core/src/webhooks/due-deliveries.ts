import { LEASE } from '../outbox/due-mails.ts'
import type { Clock } from '../ports/clock.ts'
import type { Stores } from '../ports/unit-of-work.ts'
import type { Webhook, WebhookName } from './webhook.ts'
import type { WebhookDelivery } from './webhook-delivery.ts'
import { isUnwell, type WebhookProgress } from './webhook-progress.ts'

/** A delivery that is leased, and what is known of its target. */
export interface DueDelivery {
  readonly delivery: WebhookDelivery
  readonly webhook: Webhook
  /** Whether the target had failed before. */
  readonly failing: boolean
}

/** How many events are looked at in one unit of work: others wait for it. */
const STRETCH = 100
/** What more is owed stays in the log of events until there is room. */
const MOST_WAITING = 2_000

/** Takes what is due to a target for one worker; and before that, what has happened since it was last told. */
export class DueDeliveries {
  readonly #clock: Clock
  readonly #owner: string

  constructor(clock: Clock, owner: string) {
    this.#clock = clock
    this.#owner = owner
  }

  /** `moved`: whether anything was done at all, so that it is worth asking again. */
  async claim(stores: Stores, name: WebhookName, limit: number): Promise<{ moved: boolean; due: DueDelivery[] }> {
    const webhook = await stores.webhooks.find(name)
    const progress = await stores.webhookDeliveries.progress(name)
    if (!webhook || !progress || webhook.disabled || progress.pausedUntil > this.#clock.now())
      return { moved: false, due: [] }
    const most = isUnwell(progress) ? 1 : limit
    const deliveries = [...(await this.#lease(stores, name, most))]
    let moved = false
    if (deliveries.length < most && (await this.#takeIn(stores, webhook, progress))) {
      moved = true
      deliveries.push(...(await this.#lease(stores, name, most - deliveries.length)))
    }
    // The one try that it is given is nobody else's, too.
    if (isUnwell(progress) && deliveries.length > 0) await this.#rest(stores, name, LEASE)
    const failing = progress.failures > 0
    return {
      moved: moved || deliveries.length > 0,
      due: deliveries.map((delivery) => ({ delivery, webhook, failing })),
    }
  }

  #lease({ webhookDeliveries }: Stores, webhook: WebhookName, limit: number) {
    return webhookDeliveries.claim({ webhook, owner: this.#owner, limit, leaseFor: LEASE })
  }

  async #rest({ webhookDeliveries }: Stores, name: WebhookName, milliseconds: number): Promise<void> {
    const progress = await webhookDeliveries.progress(name)
    if (progress)
      await webhookDeliveries.putProgress(name, { ...progress, pausedUntil: this.#clock.now() + milliseconds })
  }

  /** Owes the target what it wants of the next events; whether there were any. */
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
