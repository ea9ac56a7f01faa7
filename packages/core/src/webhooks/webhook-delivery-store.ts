import type { EventRecord } from '../events/event-store.ts'
import type { Instant } from '../instant.ts'
import type { Claim, OutboxDepth, OutboxHealth, Postponement } from '../outbox/outbox-store.ts'
import type { Page, Stretch } from '../page.ts'
import type { WebhookName } from './webhook.ts'
import type { WebhookDelivery, WebhookDeliveryId } from './webhook-delivery.ts'
import type { WebhookProgress } from './webhook-progress.ts'

export interface WebhookDeliveryFilter extends Stretch {
  readonly webhook?: WebhookName | undefined
  readonly parked?: boolean | undefined
}

export interface WebhookDeliveryClaim extends Claim {
  readonly webhook: WebhookName
}

export interface WebhookDeliveryReader {
  find(id: WebhookDeliveryId): Promise<WebhookDelivery | undefined>
  list(filter: WebhookDeliveryFilter): Promise<Page<WebhookDelivery>>
  /**
   * Targets that may need work: neither disabled nor resting, and with a delivery that is due and
   * unclaimed, or with events behind their cursor. Those that have waited the longest first, up to `limit`.
   */
  due(limit: number): Promise<readonly WebhookName[]>
  /**
   * `parked` also where a target was disabled by the service. `dueSince`: of a delivery that is due and unclaimed, or of
   * an event behind the cursor, to a target that is neither disabled nor resting.
   */
  health(): Promise<OutboxHealth>
  depth(): Promise<OutboxDepth>
}

/** Events queued for targets, each by itself. A delivery leaves when it is settled or pruned, or its target is removed. */
export interface WebhookDeliveryStore extends WebhookDeliveryReader {
  progress(webhook: WebhookName): Promise<WebhookProgress | undefined>
  /** Nothing where there is no such target. */
  putProgress(webhook: WebhookName, progress: WebhookProgress): Promise<void>
  /** How many of its deliveries are not parked. */
  waiting(webhook: WebhookName): Promise<number>
  /**
   * Queues these events for the target, due at once. One that is queued already stays as it is, unless it is parked: then
   * it is queued again. New ids are larger than any before them.
   */
  add(webhook: WebhookName, events: readonly EventRecord[]): Promise<void>
  /**
   * Leases up to `limit` deliveries to the target that are due, not parked and not leased by another, longest due
   * first, and counts the attempt. One whose lease has run out is due again, but not for its owner. Of one subject the earliest event that is
   * not parked goes first: none of it is leased while an earlier one waits or is under way.
   */
  claim(claim: WebhookDeliveryClaim): Promise<readonly WebhookDelivery[]>
  /** Prolongs every lease that the owner still holds. */
  renew(owner: string, leaseFor: number): Promise<void>
  /** Whether the owner still held the lease; if so, the delivery is gone. */
  settle(id: WebhookDeliveryId, owner: string): Promise<boolean>
  /**
   * Gives the lease back; due again at `notBefore`. Nothing if the owner no longer holds it.
   * With `attempted: false` the attempt that the claim counted is not counted.
   */
  postpone(id: WebhookDeliveryId, owner: string, postponement: Postponement): Promise<void>
  /** Gives the lease back and waits for a person. Nothing if the owner no longer holds it. */
  park(id: WebhookDeliveryId, owner: string, error: string): Promise<void>
  /** Makes it due at once and forgets its attempts; whether there is one. Leases stay as they are. */
  retry(id: WebhookDeliveryId): Promise<boolean>
  /** The same for all deliveries of the target that are parked, or are not; how many. */
  retryAll(webhook: WebhookName, which: { readonly parked: boolean }): Promise<number>
  /** Forgets up to `limit` that were parked before `before`; says how many. */
  prune(before: Instant, limit: number): Promise<number>
}
