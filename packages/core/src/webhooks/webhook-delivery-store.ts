import type { EventRecord } from '../events/event-store.ts'
import type { Instant } from '../instant.ts'
import type { Claim, LeasedEntries, OutboxDepth, OutboxHealth, QueueEntry } from '../outbox/outbox-store.ts'
import type { Page, Stretch } from '../page.ts'
import type { WebhookName } from './webhook.ts'
import type { WebhookAnswer } from './webhook-answer.ts'
import type { WebhookProgress } from './webhook-progress.ts'

export type WebhookDeliveryId = QueueEntry['id']

/** An event queued for a target. Of its subject it holds only the id. */
export interface WebhookDelivery extends QueueEntry {
  readonly webhook: WebhookName
  readonly event: EventRecord
}

export interface WebhookDeliveryFilter extends Stretch {
  readonly webhook?: WebhookName | undefined
  readonly parked?: boolean | undefined
}

export interface WebhookDeliveryClaim extends Claim {
  readonly webhook: WebhookName
}

export interface WebhookDeliveryReader {
  list(filter: WebhookDeliveryFilter): Promise<Page<WebhookDelivery>>
  /**
   * Targets that may need work: neither disabled nor resting, and with a delivery that is due, unclaimed and the first
   * of its subject that is not parked, or with events behind their cursor. In the order of `WebhookReader.list`: who goes
   * on behind the last one, and begins anew at the end, comes to each of them, however many have work that never ends.
   */
  due(stretch: Stretch): Promise<Page<WebhookName>>
  /**
   * `parked` also if a target was disabled by the service. `dueSince`: of what `due` finds; of events behind
   * a cursor, not before the target's `pausedUntil`.
   */
  health(): Promise<OutboxHealth>
  depth(): Promise<OutboxDepth>
  /** As in an `OutboxReader`. */
  underWay(): Promise<number>
  progress(webhook: WebhookName): Promise<WebhookProgress | undefined>
  /** Targets of which the last delivery failed, but for those disabled by hand, each with the time of the first that did. */
  failing(): Promise<readonly (readonly [webhook: WebhookName, since: Instant])[]>
  /** What a target said last, the newest first; at most `KEPT_ANSWERS`. */
  answers(webhook: WebhookName): Promise<readonly WebhookAnswer[]>
}

/** Events queued for targets, each by itself. A delivery leaves when it is settled or pruned, or its target is removed. */
export interface WebhookDeliveryStore extends WebhookDeliveryReader, LeasedEntries {
  /** Those of these that the owner still holds are gone. */
  settleMany(owner: string, ids: readonly WebhookDeliveryId[]): Promise<void>
  /** Keeps them, in their order, and no more than `KEPT_ANSWERS` of the target; nothing if there is no such target. */
  keepAnswers(webhook: WebhookName, answers: readonly WebhookAnswer[]): Promise<void>
  /** Nothing if there is no such target. */
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
  /** As `retry`, for all deliveries of the target that are parked, or are not; how many. */
  retryAll(webhook: WebhookName, which: { readonly parked: boolean }): Promise<number>
  /** Makes deliveries that wait for longer than so many milliseconds due at once, and ends the rest of targets that rest for longer. */
  reschedule(beyond: number): Promise<void>
  /** Forgets up to `limit` that were parked before `before`; says how many. */
  prune(before: Instant, limit: number): Promise<number>
}
