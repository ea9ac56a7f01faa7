import {
  type DisabledBecause,
  type DomainEvent,
  type EventReader,
  type EventRecord,
  type EventType,
  type FeedName,
  KEPT_ANSWERS,
  type SecretSeed,
  type Webhook,
  type WebhookAnswer,
  type WebhookDelivery,
  type WebhookDeliveryReader,
  type WebhookDeliveryStore,
  type WebhookName,
  type WebhookReader,
  type WebhookStore,
} from '@rollcall/core'
import { againWhere, depthOf, FREE, healthOf, LEASE, leasesOf, parkedOrNot, underWayOf } from './leases.ts'
import { all, change, changeOne, find, first, type Methods, page, pruneBefore, write } from './methods.ts'
import { type Cell, countedTable, excluded, mapping, type RowOf, text, whole } from './table.ts'

export const EVENT = countedTable('event', {
  id: whole(),
  position: whole<number | null>(),
  type: text<EventType>(),
  subject: text(),
  at: whole(),
  feed: text<FeedName | null>(),
  trace_context: text<string | null>(),
})

export type EventRow = RowOf<typeof EVENT>

const EVENTS = mapping(EVENT, 'id')
const NEW = mapping(EVENT, 'id', 'position')
export const EVENT_VALUES = EVENTS.columns
// What an event has not is NULL.
export const eventValues = (event: EventRecord): Cell[] =>
  EVENTS.toValues(event as Parameters<typeof EVENTS.toValues>[0])
/** What is known of an event before it has a position. */
export const NEW_EVENT = NEW.columns
export const newEventValues = (event: DomainEvent): Cell[] => NEW.toValues(event as Parameters<typeof NEW.toValues>[0])

/** In `INSTANCE`: no event gets this position or one before it. */
export const EVENT_FLOOR = 'event-floor'
/** The last position that was given, or may have been. */
export const LAST_POSITION = `(SELECT coalesce(max(position), 0) FROM (SELECT max(position) AS position FROM event
  UNION ALL SELECT CAST(value AS bigint) FROM instance WHERE name = '${EVENT_FLOOR}') AS given)`

type NumberedRow = Omit<EventRow, 'id'> & { readonly position: number }

export const EVENT_READER: Methods<EventReader> = {
  list: page(
    `SELECT ${EVENTS.columns.join(', ')} FROM event WHERE position > ? ORDER BY position LIMIT +?`,
    'position',
    EVENTS.toRecord as (row: NumberedRow) => EventRecord,
  ),
  hasUnnumbered: first(
    'SELECT id FROM event WHERE position IS NULL LIMIT 1',
    () => [],
    (row: { id: number } | undefined) => row !== undefined,
  ),
  last: first(
    'SELECT coalesce(max(position), 0) AS last FROM event',
    () => [],
    (row: { last: number } | undefined) => row?.last ?? 0,
  ),
}

export const WEBHOOK = countedTable('webhook', {
  seq: whole(),
  name: text<WebhookName>(),
  url: text(),
  types: text(),
  secret: text<SecretSeed>(),
  /** A JSON array, as the record has them. */
  previous_secrets: text(),
  disabled_because: text<DisabledBecause | null>(),
  disabled_since: whole<number | null>(),
  created_at: whole(),
  updated_at: whole(),
  cursor: whole(),
  failures: whole(),
  failing_since: whole<number | null>(),
  paused_until: whole(),
})

const PROGRESS = ['cursor', 'failures', 'failing_since', 'paused_until'] as const
const CHANGED = ['types', 'previous_secrets', 'disabled_because', 'disabled_since'] as const
const PLAIN = mapping(WEBHOOK, 'seq', ...CHANGED, ...PROGRESS)
const PUT = [...PLAIN.columns, ...CHANGED]

type WebhookRow = Omit<RowOf<typeof WEBHOOK>, (typeof PROGRESS)[number]>
type ProgressRow = Pick<RowOf<typeof WEBHOOK>, (typeof PROGRESS)[number]>

const toWebhook = (row: WebhookRow): Webhook => ({
  ...PLAIN.toRecord(row),
  types: row.types.split(' ') as EventType[],
  previousSecrets: JSON.parse(row.previous_secrets),
  disabled:
    row.disabled_because === null ? undefined : { because: row.disabled_because, since: row.disabled_since ?? 0 },
})

const webhookValues = (webhook: Webhook): Cell[] => [
  ...PLAIN.toValues(webhook),
  webhook.types.join(' '),
  JSON.stringify(webhook.previousSecrets),
  webhook.disabled?.because ?? null,
  webhook.disabled?.since ?? null,
]

const WEBHOOKS = `SELECT seq, ${PUT.join(', ')} FROM webhook`

export const WEBHOOK_READER: Methods<WebhookReader> = {
  find: find(`${WEBHOOKS} WHERE name = ?`, (name) => [name], toWebhook),
  list: page(`${WEBHOOKS} WHERE seq > ? ORDER BY seq LIMIT +?`, 'seq', toWebhook),
}

export const WEBHOOK_STORE: Methods<WebhookStore> = {
  ...WEBHOOK_READER,
  put: write(
    `INSERT INTO webhook (${PUT.join(', ')}, cursor)
      VALUES (${PUT.map(() => '?').join(', ')}, (SELECT coalesce(max(position), 0) FROM event))
      ON CONFLICT (name) DO UPDATE SET ${excluded(PUT)}`,
    webhookValues,
  ),
  remove: changeOne('DELETE FROM webhook WHERE name = ?', (name) => [name]),
}

export const WEBHOOK_DELIVERY = countedTable('webhook_delivery', {
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
  feed: text<FeedName | null>(),
  trace_context: text<string | null>(),
})

/** What targets said last: of use for a while, and to the database that heard it. */
export const WEBHOOK_ANSWER = countedTable('webhook_answer', {
  id: whole(),
  webhook: text<WebhookName>(),
  at: whole(),
  position: whole(),
  type: text<WebhookAnswer['type']>(),
  subject: text(),
  attempt: whole(),
  status: whole<number | null>(),
  error: text<string | null>(),
  head: text<string | null>(),
})

const ANSWER = mapping(WEBHOOK_ANSWER, 'id')
/** All but the first, which is the name of the target. */
export const ANSWER_COLUMNS = ANSWER.columns
export const answerValues = ANSWER.toValues

/** Twice with the name of the target. */
export const TRIM_ANSWERS = `DELETE FROM webhook_answer WHERE webhook = ? AND id <=
  (SELECT id FROM webhook_answer WHERE webhook = ? ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_ANSWERS})`

const DELIVERY = mapping(WEBHOOK_DELIVERY, ...LEASE)

export type DeliveryRow = Omit<RowOf<typeof WEBHOOK_DELIVERY>, (typeof LEASE)[number]>

export const DELIVERY_READ = DELIVERY.columns

export const toDelivery = (row: DeliveryRow): WebhookDelivery => {
  const { position, type, subject, at, feed, traceContext, ...delivery } = DELIVERY.toRecord(row)
  return { ...delivery, event: { position, type, subject, at, feed, traceContext } }
}

const DELIVERIES = `SELECT ${DELIVERY_READ.join(', ')} FROM webhook_delivery WHERE`

const NEVER = Number.MAX_SAFE_INTEGER

/** That no earlier event of its subject waits or is under way. */
export const IS_FIRST = `NOT EXISTS (SELECT 1 FROM webhook_delivery AS earlier WHERE earlier.webhook = one.webhook
  AND earlier.subject = one.subject AND earlier.position < one.position AND earlier.parked_at IS NULL)`

/** `least`: the function that gives the smaller of two numbers. */
export const deliveryReader = (least: 'least' | 'min'): Methods<WebhookDeliveryReader> => {
  const greatest = least === 'min' ? 'max' : 'greatest'
  // Since when there has been something to do for each target that may be sent anything.
  const due = `(SELECT w.seq AS seq, w.name AS name, ${least}(
        coalesce((SELECT not_before FROM webhook_delivery AS one WHERE webhook = w.name AND ${FREE} AND ${IS_FIRST}
          ORDER BY not_before LIMIT 1), ${NEVER}),
        coalesce((SELECT ${greatest}(at, w.paused_until) FROM event WHERE position > w.cursor ORDER BY position LIMIT 1),
          ${NEVER})) AS since
      FROM webhook AS w WHERE disabled_since IS NULL AND paused_until <= @now) AS targets
    WHERE since < ${NEVER}`
  return {
    list: page(
      parkedOrNot(DELIVERIES, '(CAST(? AS text) IS NULL OR webhook = ?) AND id > ? ORDER BY id LIMIT +?'),
      'id',
      toDelivery,
      ({ after, webhook = null }, most) => [webhook, webhook, after, most],
    ),
    due: page(
      `SELECT seq, name FROM ${due} AND seq > ? ORDER BY seq LIMIT +?`,
      'seq',
      ({ name }: { seq: number; name: WebhookName }) => name,
    ),
    health: healthOf(
      `EXISTS (SELECT 1 FROM webhook_delivery WHERE parked_at IS NOT NULL)
        OR EXISTS (SELECT 1 FROM webhook WHERE disabled_because <> 'by-hand')`,
      `SELECT min(since) FROM ${due}`,
    ),
    depth: depthOf('webhook_delivery'),
    underWay: underWayOf('webhook_delivery'),
    progress: find(
      `SELECT ${PROGRESS.join(', ')} FROM webhook WHERE name = ?`,
      (name) => [name],
      (row: ProgressRow) => ({
        cursor: row.cursor,
        failures: row.failures,
        failingSince: row.failing_since ?? undefined,
        pausedUntil: row.paused_until,
      }),
    ),
    failing: all(
      `SELECT name, failing_since AS since FROM webhook
        WHERE failing_since IS NOT NULL AND coalesce(disabled_because, '') <> 'by-hand' ORDER BY name`,
      () => [],
      ({ name, since }: { name: WebhookName; since: number }) => [name, since] as const,
    ),
    answers: all(
      `SELECT ${ANSWER_COLUMNS.join(', ')} FROM webhook_answer WHERE webhook = ? ORDER BY id DESC LIMIT +?`,
      (name) => [name, KEPT_ANSWERS],
      ANSWER.toRecord as (row: Omit<RowOf<typeof WEBHOOK_ANSWER>, 'id'>) => WebhookAnswer,
    ),
  }
}

const RETRY_PARKED = againWhere('webhook_delivery', 'webhook = ? AND parked_at IS NOT NULL')
const RETRY_WAITING = againWhere('webhook_delivery', 'webhook = ? AND parked_at IS NULL')

export const deliveryStore = (
  least: 'least' | 'min',
): Methods<Omit<WebhookDeliveryStore, 'add' | 'claim' | 'giveBack' | 'keepAnswers'>> => ({
  ...deliveryReader(least),
  ...leasesOf('webhook_delivery'),
  settleMany: write('DELETE FROM webhook_delivery WHERE id IN @wholes AND owner = ?', (owner, ids) => [ids, owner]),
  putProgress: write(
    `UPDATE webhook SET ${PROGRESS.map((column) => `${column} = ?`).join(', ')} WHERE name = ?`,
    (name, { cursor, failures, failingSince = null, pausedUntil }) => [
      cursor,
      failures,
      failingSince,
      pausedUntil,
      name,
    ],
  ),
  waiting: first(
    'SELECT count(*) AS count FROM webhook_delivery WHERE webhook = ? AND parked_at IS NULL',
    (name) => [name],
    (row: { count: number } | undefined) => row?.count ?? 0,
  ),
  retryAll: change(
    (_, { parked }) => (parked ? RETRY_PARKED : RETRY_WAITING),
    (name) => [name],
  ),
  reschedule: write(
    'UPDATE webhook_delivery SET not_before = @now WHERE parked_at IS NULL AND not_before > @now + CAST(? AS bigint)',
    (beyond) => [beyond],
    write('UPDATE webhook SET paused_until = @now WHERE paused_until > @now + CAST(? AS bigint)', (beyond) => [beyond]),
  ),
  prune: pruneBefore('webhook_delivery', 'id', 'parked_at'),
})
