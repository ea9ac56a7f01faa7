import type { DisabledBecause, EventType, SecretSeed, Webhook, WebhookName, WebhookProgress } from '@rollcall/core'

export const WEBHOOK_COLUMNS =
  'seq, name, url, types, secret, previous_secret, previous_until, disabled_because, disabled_since, created_at, updated_at'

export type WebhookRow = [
  seq: number,
  name: string,
  url: string,
  types: string,
  secret: string,
  previousSecret: string | null,
  previousUntil: number | null,
  disabledBecause: DisabledBecause | null,
  disabledSince: number | null,
  createdAt: number,
  updatedAt: number,
]

export const toWebhook = (row: WebhookRow): Webhook => ({
  name: row[1] as WebhookName,
  url: row[2],
  types: row[3].split(' ') as EventType[],
  secret: row[4] as SecretSeed,
  previousSecret: row[5] === null ? undefined : { seed: row[5] as SecretSeed, until: row[6] ?? 0 },
  disabled: row[7] === null ? undefined : { because: row[7], since: row[8] ?? 0 },
  createdAt: row[9],
  updatedAt: row[10],
})

/** In the order of the columns after the place. */
export const webhookValues = (webhook: Webhook) =>
  [
    webhook.name,
    webhook.url,
    webhook.types.join(' '),
    webhook.secret,
    webhook.previousSecret?.seed ?? null,
    webhook.previousSecret?.until ?? null,
    webhook.disabled?.because ?? null,
    webhook.disabled?.since ?? null,
    webhook.createdAt,
    webhook.updatedAt,
  ] as const

export const PROGRESS_COLUMNS = 'cursor, failures, failing_since, paused_until'

export type ProgressRow = [cursor: number, failures: number, failingSince: number | null, pausedUntil: number]

export const toProgress = ([cursor, failures, failingSince, pausedUntil]: ProgressRow): WebhookProgress => ({
  cursor,
  failures,
  failingSince: failingSince ?? undefined,
  pausedUntil,
})
