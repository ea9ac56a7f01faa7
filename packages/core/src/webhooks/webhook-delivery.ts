import type { EventRecord } from '../events/event-store.ts'
import type { Instant } from '../instant.ts'
import type { WebhookName } from './webhook.ts'

/** Given by the store. */
export type WebhookDeliveryId = number

/** An event queued for a target. Of its subject it holds only the id. */
export interface WebhookDelivery {
  readonly id: WebhookDeliveryId
  readonly webhook: WebhookName
  readonly event: EventRecord
  /** Since when it is queued. */
  readonly createdAt: Instant
  readonly notBefore: Instant
  /** How often it was tried, counted before each try. */
  readonly attempts: number
  /** Why the last try failed; contains no address. */
  readonly lastError: string | undefined
  /** Since when it waits for a person. */
  readonly parkedAt: Instant | undefined
}
