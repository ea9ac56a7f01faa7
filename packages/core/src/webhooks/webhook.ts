import type { EventType } from '../events/event-store.ts'
import { asFeedName, parseFeedName } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import type { Page, Stretch } from '../page.ts'

export type WebhookName = string & { readonly __brand: 'WebhookName' }

/** What a secret is made of, together with the instance's own: by itself it signs nothing. */
export type SecretSeed = string & { readonly __brand: 'SecretSeed' }

/** `by-hand`: a caller said so. `failing`: nothing got through for days. `gone`: the target said so itself (410). */
export type DisabledBecause = (typeof DISABLED_BECAUSE)[number]
export const DISABLED_BECAUSE = ['by-hand', 'failing', 'gone'] as const

interface PreviousSecret {
  readonly seed: SecretSeed
  readonly until: Instant
}

/** A target that events are sent to. */
export interface Webhook {
  readonly name: WebhookName
  /** Kept exactly as given. */
  readonly url: string
  /** Which events it is sent, in the order of `EVENT_TYPES`; at least one. */
  readonly types: readonly EventType[]
  readonly secret: SecretSeed
  /** What was the secret before, and still signs beside it until then; the last first. */
  readonly previousSecrets: readonly PreviousSecret[]
  /** Set if nothing is sent to it; its events wait. */
  readonly disabled: { readonly because: DisabledBecause; readonly since: Instant } | undefined
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A webhook, and how it goes with it. */
export interface TriedWebhook extends Webhook {
  /** As `failing` has it; undefined if it took the last event that it was sent. */
  readonly failingSince: Instant | undefined
}

/** A webhook as shown outside the service. */
export interface DescribedWebhook extends Omit<TriedWebhook, 'secret' | 'previousSecrets'> {
  readonly previousSecrets: readonly Pick<PreviousSecret, 'until'>[]
}

/** The text as a name, or undefined if it cannot be one. As with feeds. */
export const asWebhookName = (text: string): WebhookName | undefined =>
  asFeedName(text) as string | undefined as WebhookName | undefined

/** @throws {InvalidInput} the text can never be the name of a webhook */
export const parseWebhookName = (text: string): WebhookName => parseFeedName(text) as string as WebhookName

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
