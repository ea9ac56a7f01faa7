import { sortableCursorOf } from '../page.ts'
import type { Redelivery } from '../webhooks/redeliver-events-use-case.ts'
import type { DescribedWebhook } from '../webhooks/webhook.ts'
import { timestamp } from './timestamp.ts'

/** A webhook as everybody outside sees it: without its secret, which is shown once and then nowhere. */
export const publishedWebhook = (webhook: DescribedWebhook) => ({
  name: webhook.name,
  url: webhook.url,
  types: webhook.types,
  enabled: webhook.disabled === undefined,
  disabled_because: webhook.disabled?.because ?? null,
  disabled_since: timestamp(webhook.disabled?.since),
  failing_since: timestamp(webhook.failingSince),
  previous_secret_until: timestamp(webhook.previousSecrets[0]?.until),
  created_at: timestamp(webhook.createdAt),
  updated_at: timestamp(webhook.updatedAt),
})

/** What somebody has changed when it differs. */
export const webhookState = (webhook: Omit<DescribedWebhook, 'failingSince'>) =>
  publishedWebhook({ ...webhook, failingSince: undefined })

/** What is sent again. `after` is the `sequence` of the event behind which all are. */
export const publishedRedelivery = ({ webhook, after, retried }: Redelivery) => ({
  webhook,
  after: after === undefined ? null : sortableCursorOf(after),
  retried,
})
