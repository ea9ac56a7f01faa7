import { InvalidInput } from '../errors.ts'
import type { EventType } from '../events/event-store.ts'
import type { Instant } from '../instant.ts'
import { asFeedName } from '../subscriptions/feed.ts'

export type WebhookName = string & { readonly __brand: 'WebhookName' }

/** What a secret is made of, together with the instance's own: by itself it signs nothing. */
export type SecretSeed = string & { readonly __brand: 'SecretSeed' }

/** `by-hand`: a caller said so. `failing`: nothing got through for days. `gone`: the target said so itself (410). */
export type DisabledBecause = 'by-hand' | 'failing' | 'gone'

/** A target that events are sent to. */
export interface Webhook {
  readonly name: WebhookName
  /** Kept exactly as given. */
  readonly url: string
  /** Which events it is sent, in the order of `EVENT_TYPES`; at least one. */
  readonly types: readonly EventType[]
  readonly secret: SecretSeed
  /** What was the secret before, and still signs beside it until then. */
  readonly previousSecret: { readonly seed: SecretSeed; readonly until: Instant } | undefined
  /** Set where nothing is sent to it; its events wait. */
  readonly disabled: { readonly because: DisabledBecause; readonly since: Instant } | undefined
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A webhook as shown outside the service. */
export interface DescribedWebhook extends Omit<Webhook, 'secret' | 'previousSecret'> {
  readonly previousSecret: { readonly until: Instant } | undefined
}

/** The text as a name, or undefined if it cannot be one. As with feeds. */
export const asWebhookName = (text: string): WebhookName | undefined =>
  asFeedName(text) as string | undefined as WebhookName | undefined

/** @throws {InvalidInput} the text can never be the name of a webhook */
export const parseWebhookName = (text: string): WebhookName => {
  const name = asWebhookName(text)
  if (name !== undefined) return name
  const message = 'Use 1 to 64 of a-z, 0-9 and hyphen, beginning with a letter or a digit.'
  throw new InvalidInput([{ field: 'name', message }])
}
