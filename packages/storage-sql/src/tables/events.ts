import type {
  DisabledBecause,
  EventRecord,
  EventType,
  SecretSeed,
  Webhook,
  WebhookDelivery,
  WebhookName,
  WebhookProgress,
} from '@rollcall/core'
import { columnsOf, counted, type RowOf, table, text, whole } from './table.ts'

export const EVENT = table('event', 1, { position: whole(), type: text<EventType>(), subject: text(), at: whole() })

export type EventRow = RowOf<typeof EVENT>

export const EVENT_COLUMNS = columnsOf(EVENT).join(', ')

export const toEventRecord = ({ position, type, subject, at }: EventRow): EventRecord => ({
  position,
  type,
  subject,
  at,
})

export const WEBHOOK = counted(
  table('webhook', 1, {
    seq: whole(),
    name: text<WebhookName>(),
    url: text(),
    types: text(),
    secret: text<SecretSeed>(),
    previous_secret: text<SecretSeed | null>(),
    previous_until: whole<number | null>(),
    disabled_because: text<DisabledBecause | null>(),
    disabled_since: whole<number | null>(),
    created_at: whole(),
    updated_at: whole(),
    cursor: whole(),
    failures: whole(),
    failing_since: whole<number | null>(),
    paused_until: whole(),
  }),
)

type Progress = 'cursor' | 'failures' | 'failing_since' | 'paused_until'
export type WebhookRow = Omit<RowOf<typeof WEBHOOK>, Progress>
export type ProgressRow = Pick<RowOf<typeof WEBHOOK>, Progress>

const PROGRESS = ['cursor', 'failures', 'failing_since', 'paused_until'] as const satisfies readonly Progress[]
export const PROGRESS_COLUMNS = PROGRESS.join(', ')
export const WEBHOOK_COLUMNS = columnsOf(WEBHOOK, ...PROGRESS).join(', ')
/** What is known of a webhook before it has a place. */
export const NEW_WEBHOOK = columnsOf(WEBHOOK, 'seq', ...PROGRESS)

export const toWebhook = (row: WebhookRow): Webhook => ({
  name: row.name,
  url: row.url,
  types: row.types.split(' ') as EventType[],
  secret: row.secret,
  previousSecret:
    row.previous_secret === null ? undefined : { seed: row.previous_secret, until: row.previous_until ?? 0 },
  disabled:
    row.disabled_because === null ? undefined : { because: row.disabled_because, since: row.disabled_since ?? 0 },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const webhookRow = (webhook: Webhook): Omit<WebhookRow, 'seq'> => ({
  name: webhook.name,
  url: webhook.url,
  types: webhook.types.join(' '),
  secret: webhook.secret,
  previous_secret: webhook.previousSecret?.seed ?? null,
  previous_until: webhook.previousSecret?.until ?? null,
  disabled_because: webhook.disabled?.because ?? null,
  disabled_since: webhook.disabled?.since ?? null,
  created_at: webhook.createdAt,
  updated_at: webhook.updatedAt,
})

export const toProgress = (row: ProgressRow): WebhookProgress => ({
  cursor: row.cursor,
  failures: row.failures,
  failingSince: row.failing_since ?? undefined,
  pausedUntil: row.paused_until,
})

export const WEBHOOK_DELIVERY = counted(
  table('webhook_delivery', 1, {
    id: whole(),
    webhook: text<WebhookName>(),
    position: whole(),
    type: text<EventType>(),
    subject: text(),
    at: whole(),
    created_at: whole(),
    not_before: whole(),
    attempts: whole(),
    last_error: text<string | null>(),
    parked_at: whole<number | null>(),
    owner: text<string | null>(),
    leased_until: whole(),
  }),
)

/** Without the lease. */
export type DeliveryRow = Omit<RowOf<typeof WEBHOOK_DELIVERY>, 'owner' | 'leased_until'>

export const DELIVERY_READ = columnsOf(WEBHOOK_DELIVERY, 'owner', 'leased_until')
export const DELIVERY_COLUMNS = DELIVERY_READ.join(', ')

export const toDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  webhook: row.webhook,
  event: { position: row.position, type: row.type, subject: row.subject, at: row.at },
  createdAt: row.created_at,
  notBefore: row.not_before,
  attempts: row.attempts,
  lastError: row.last_error ?? undefined,
  parkedAt: row.parked_at ?? undefined,
})
