import type { Page, Stretch } from '../page.ts'
import type { Webhook, WebhookName } from './webhook.ts'

export interface WebhookReader {
  find(name: WebhookName): Promise<Webhook | undefined>
  list(stretch: Stretch): Promise<Page<Webhook>>
}

/** Where events are sent. */
export interface WebhookStore extends WebhookReader {
  /**
   * Stores the webhook; replaces the one with the same name, which keeps its place in lists, its progress and its
   * queued deliveries. A new one begins behind the newest event.
   */
  put(webhook: Webhook): Promise<void>
  /** Removes it with all its deliveries; whether there was one. */
  remove(name: WebhookName): Promise<boolean>
}
