import { SYSTEM } from '../access/caller.ts'
import { HOUR } from '../instant.ts'
import { isGivenUp, nextAttemptAt } from '../outbox/backoff.ts'
import { LEASE } from '../outbox/claim-mails.ts'
import { describeFailure } from '../outbox/outcomes.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Needs } from '../use-case.ts'
import type { Webhook, WebhookName } from './webhook.ts'
import type { WebhookDelivery } from './webhook-delivery-store.ts'
import { afterFailure, isGivenUpOn, isUnwell, recovered, type WebhookProgress } from './webhook-progress.ts'
import { WebhookGone, WebhookRefused } from './webhook-transport.ts'

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

export interface WebhookDeliveryFailure {
  readonly delivery: WebhookDelivery
  readonly error: unknown
  /** Given up; needs manual action. */
  readonly parked: boolean
  /** Why nothing more is sent to the target, if that was decided now. */
  readonly disabled: 'failing' | 'gone' | undefined
}

/** No target has any of its events wait longer than this, whatever it asks for. */
const LONGEST_WAIT = 1 * HOUR

type Ports = Needs<'clock' | 'randomness' | 'trail'>

/** How many events one unit of work reads: others wait for it. */
const STRETCH = 100
/** Further events stay in the log until there is room. */
const MOST_WAITING = 2_000

/** Leases what is due to a target, and stores the outcomes; each within a unit of work. */
export class DueDeliveries {
  readonly #ports: Ports

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** Leases what is due for one worker; before that, queues the events since the cursor of the target. */
  async claim(stores: Stores, name: WebhookName, limit: number, owner: string): Promise<ClaimedDeliveries> {
    const lease = (most: number) =>
      stores.webhookDeliveries.claim({ webhook: name, owner, limit: most, leaseFor: LEASE })
    const webhook = await stores.webhooks.find(name)
    const progress = await stores.webhookDeliveries.progress(name)
    if (!webhook || !progress || webhook.disabled || progress.pausedUntil > this.#ports.clock.now())
      return { moved: false, due: [] }
    const most = isUnwell(progress) ? 1 : limit
    const deliveries = [...(await lease(most))]
    let moved = false
    if (deliveries.length < most && (await this.#takeIn(stores, webhook, progress))) {
      moved = true
      deliveries.push(...(await lease(most - deliveries.length)))
    }
    // No other worker may make the one try that it gets, too.
    if (isUnwell(progress) && deliveries.length > 0) await this.#rest(stores, name)
    const failing = progress.failures > 0
    const due = deliveries.map((delivery) => ({ delivery, owner, webhook, failing }))
    return { moved: moved || due.length > 0, due }
  }

  /** As if it had never been claimed. */
  async giveBack({ webhookDeliveries }: Stores, { delivery, owner }: DueDelivery): Promise<void> {
    await webhookDeliveries.postpone(delivery.id, owner, { notBefore: delivery.notBefore, attempted: false })
  }

  async #rest({ webhookDeliveries }: Stores, name: WebhookName): Promise<void> {
    const progress = await webhookDeliveries.progress(name)
    const pausedUntil = this.#ports.clock.now() + LEASE
    if (progress) await webhookDeliveries.putProgress(name, { ...progress, pausedUntil })
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

  async succeeded({ webhookDeliveries }: Stores, { delivery, owner, failing }: DueDelivery): Promise<void> {
    const progress = failing ? await webhookDeliveries.progress(delivery.webhook) : undefined
    if (progress) await webhookDeliveries.putProgress(delivery.webhook, recovered(progress))
    await webhookDeliveries.settle(delivery.id, owner)
  }

  async failed(stores: Stores, { delivery, owner }: DueDelivery, error: unknown): Promise<WebhookDeliveryFailure> {
    const { webhooks, webhookDeliveries } = stores
    const now = this.#ports.clock.now()
    const webhook = await webhooks.find(delivery.webhook)
    const progress = await webhookDeliveries.progress(delivery.webhook)
    if (!webhook || !progress) return { delivery, error, parked: false, disabled: undefined }
    const failed = afterFailure(progress, now, this.#ports.randomness.fraction())
    await webhookDeliveries.putProgress(webhook.name, failed)
    const disabled = error instanceof WebhookGone ? 'gone' : isGivenUpOn(failed, now) ? 'failing' : undefined
    // Events not sent because the target is gone wait with the others.
    const parked = disabled !== 'gone' && isGivenUp(delivery, now)
    const message = describeFailure(error)
    if (parked) await webhookDeliveries.park(delivery.id, owner, message)
    else {
      const asked = error instanceof WebhookRefused ? Math.min(error.retryAfter ?? 0, LONGEST_WAIT) : 0
      const notBefore = Math.max(nextAttemptAt(delivery.attempts, now, this.#ports.randomness.fraction()), now + asked)
      await webhookDeliveries.postpone(delivery.id, owner, { notBefore, attempted: true, error: message })
    }
    const disabling = webhook.disabled === undefined ? disabled : undefined
    if (disabling) await this.#disable(stores, webhook, disabling)
    return { delivery, error, parked, disabled: disabling }
  }

  async #disable({ webhooks, audit }: Stores, webhook: Webhook, because: 'failing' | 'gone'): Promise<void> {
    const now = this.#ports.clock.now()
    await webhooks.put({ ...webhook, disabled: { because, since: now }, updatedAt: now })
    await this.#ports.trail.done(audit, SYSTEM, { action: 'webhook.disable', target: webhook.name }, because)
  }
}
