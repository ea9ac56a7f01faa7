import type { DescribedWebhook } from '../webhooks/webhook.ts'
import { timestamp } from './timestamp.ts'

/** A webhook as everybody outside sees it: without its secret, which is shown once and then nowhere. */
export const webhookRecord = (webhook: DescribedWebhook) => ({
  name: webhook.name,
  url: webhook.url,
  types: webhook.types,
  enabled: webhook.disabled === undefined,
  disabled_because: webhook.disabled?.because ?? null,
  disabled_since: timestamp(webhook.disabled?.since),
  previous_secret_until: timestamp(webhook.previousSecret?.until),
  created_at: timestamp(webhook.createdAt),
  updated_at: timestamp(webhook.updatedAt),
})
