import type { EventType, WebhookDelivery, WebhookName } from '@rollcall/core'

export const DELIVERY_COLUMNS =
  'id, webhook, position, type, subject, at, created_at, not_before, attempts, last_error, parked_at'

export type DeliveryRow = [
  id: number,
  webhook: string,
  position: number,
  type: EventType,
  subject: string,
  at: number,
  createdAt: number,
  notBefore: number,
  attempts: number,
  lastError: string | null,
  parkedAt: number | null,
]

export const toDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row[0],
  webhook: row[1] as WebhookName,
  event: { position: row[2], type: row[3], subject: row[4], at: row[5] },
  createdAt: row[6],
  notBefore: row[7],
  attempts: row[8],
  lastError: row[9] ?? undefined,
  parkedAt: row[10] ?? undefined,
})
