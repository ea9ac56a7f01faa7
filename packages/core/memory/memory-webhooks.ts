import type {
  Clock,
  EventStore,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookDeliveryStore,
  WebhookName,
  WebhookProgress,
  WebhookStore,
} from '../src/index.ts'
import { type Journal, Table } from './journal.ts'
import { pageOf } from './page-of.ts'

export interface MemoryWebhooks {
  readonly webhooks: WebhookStore
  readonly webhookDeliveries: WebhookDeliveryStore
}

interface Row extends WebhookDelivery {
  readonly owner: string | undefined
  readonly leasedUntil: number
}

const deliveryOf = ({ owner: _owner, leasedUntil: _leasedUntil, ...delivery }: Row): WebhookDelivery => delivery
const FRESH = { attempts: 0, lastError: undefined, parkedAt: undefined, owner: undefined, leasedUntil: 0 }
const NOTHING_FAILED = { failures: 0, failingSince: undefined, pausedUntil: 0 }

export const memoryWebhooks = (journal: Journal, clock: Clock, events: EventStore): MemoryWebhooks => {
  const webhooks = new Table<WebhookName, Webhook>(journal)
  const progresses = new Table<WebhookName, WebhookProgress>(journal)
  const rows = new Table<WebhookDeliveryId, Row>(journal)
  let lastId = 0

  const free = ({ parkedAt, leasedUntil, notBefore }: Row): boolean =>
    parkedAt === undefined && leasedUntil <= clock.now() && notBefore <= clock.now()
  const longestDueFirst = (a: Row, b: Row): number => a.notBefore - b.notBefore || a.event.position - b.event.position
  const isFirst = ({ webhook, event }: Row): boolean =>
    !rows
      .rows()
      .some(
        (other) =>
          other.webhook === webhook &&
          other.event.subject === event.subject &&
          other.event.position < event.position &&
          other.parkedAt === undefined,
      )
  const held = (id: WebhookDeliveryId, owner: string): Row | undefined => {
    const row = rows.get(id)
    return row?.owner === owner ? row : undefined
  }
  const release = (row: Row, changes: Partial<Row>): void =>
    rows.set(row.id, { ...row, owner: undefined, leasedUntil: 0, ...changes })
  const again = (row: Row): void =>
    rows.set(row.id, { ...row, notBefore: clock.now(), attempts: 0, parkedAt: undefined })
  const after = async (position: number) => (await events.list({ after: position, limit: 1 })).items[0]
  const newest = async () => {
    let last = 0
    for (let event = await after(0); event !== undefined; event = await after(last)) last = event.position
    return last
  }
  /** Since when there has been something to do for each target. */
  const dues = async (): Promise<{ name: WebhookName; since: number }[]> => {
    const found: { name: WebhookName; since: number }[] = []
    for (const { name, disabled } of webhooks.rows()) {
      const progress = progresses.get(name)
      if (progress === undefined || disabled || progress.pausedUntil > clock.now()) continue
      const due = rows.rows().filter((row) => row.webhook === name && free(row))
      const times = due.map(({ notBefore }) => notBefore)
      const behind = await after(progress.cursor)
      if (behind) times.push(behind.at)
      if (times.length > 0) found.push({ name, since: Math.min(...times) })
    }
    return found.sort((a, b) => a.since - b.since)
  }

  return {
    webhooks: {
      find: async (name) => webhooks.get(name),
      list: async (stretch) => pageOf(webhooks, stretch),
      put: async (webhook) => {
        const { name } = webhook
        if (progresses.get(name) === undefined) progresses.set(name, { cursor: await newest(), ...NOTHING_FAILED })
        webhooks.set(name, webhook)
      },
      remove: async (name) => {
        const found = webhooks.get(name) !== undefined
        webhooks.delete(name)
        progresses.delete(name)
        for (const { id, webhook } of rows.rows()) if (webhook === name) rows.delete(id)
        return found
      },
    },
    webhookDeliveries: {
      find: async (id) => {
        const row = rows.get(id)
        return row && deliveryOf(row)
      },
      list: async ({ webhook, parked, ...stretch }) => {
        const page = pageOf(
          rows,
          stretch,
          (row) =>
            (webhook === undefined || row.webhook === webhook) &&
            (parked === undefined || parked === (row.parkedAt !== undefined)),
        )
        return { ...page, items: page.items.map(deliveryOf) }
      },
      due: async (limit) => (await dues()).slice(0, limit).map(({ name }) => name),
      health: async () => ({
        parked:
          rows.rows().some(({ parkedAt }) => parkedAt !== undefined) ||
          webhooks.rows().some(({ disabled }) => disabled !== undefined && disabled.because !== 'by-hand'),
        dueSince: (await dues())[0]?.since,
      }),
      depth: async () => {
        const parked = rows.rows().filter(({ parkedAt }) => parkedAt !== undefined).length
        return { waiting: rows.rows().length - parked, parked }
      },
      progress: async (name) => progresses.get(name),
      putProgress: async (name, progress) => {
        if (progresses.get(name) !== undefined) progresses.set(name, progress)
      },
      waiting: async (name) =>
        rows.rows().filter(({ webhook, parkedAt }) => webhook === name && parkedAt === undefined).length,
      add: async (webhook, all) => {
        if (webhooks.get(webhook) === undefined) return
        // One time for all of them: otherwise a clock that ticks meanwhile would decide on their order.
        const now = clock.now()
        for (const event of all) {
          const known = rows.rows().find((row) => row.webhook === webhook && row.event.position === event.position)
          if (known?.parkedAt !== undefined) again(known)
          if (known !== undefined) continue
          const id = ++lastId
          rows.set(id, { id, webhook, event, createdAt: now, notBefore: now, ...FRESH })
        }
      },
      claim: async ({ webhook, owner, limit, leaseFor }) => {
        const due = rows
          .rows()
          .filter((row) => row.webhook === webhook && free(row) && row.owner !== owner && isFirst(row))
        return due
          .sort(longestDueFirst)
          .slice(0, limit)
          .map((row) => {
            const claimed = { ...row, owner, leasedUntil: clock.now() + leaseFor, attempts: row.attempts + 1 }
            rows.set(row.id, claimed)
            return deliveryOf(claimed)
          })
      },
      renew: async (owner, leaseFor) => {
        const mine = rows.rows().filter((row) => row.owner === owner && row.leasedUntil > clock.now())
        for (const row of mine) rows.set(row.id, { ...row, leasedUntil: clock.now() + leaseFor })
      },
      settle: async (id, owner) => {
        const row = held(id, owner)
        if (row) rows.delete(id)
        return row !== undefined
      },
      postpone: async (id, owner, { notBefore, attempted, error }) => {
        const row = held(id, owner)
        if (!row) return
        release(row, { notBefore, attempts: row.attempts - (attempted ? 0 : 1), lastError: error ?? row.lastError })
      },
      park: async (id, owner, error) => {
        const row = held(id, owner)
        if (row) release(row, { parkedAt: clock.now(), lastError: error })
      },
      retry: async (id) => {
        const row = rows.get(id)
        if (row) again(row)
        return row !== undefined
      },
      retryAll: async (name, { parked }) => {
        const all = rows
          .rows()
          .filter(({ webhook, parkedAt }) => webhook === name && parked === (parkedAt !== undefined))
        for (const row of all) again(row)
        return all.length
      },
      prune: async (before, limit) => {
        const old = rows
          .rows()
          .filter(({ parkedAt }) => parkedAt !== undefined && parkedAt < before)
          .slice(0, limit)
        for (const { id } of old) rows.delete(id)
        return old.length
      },
    },
  }
}
