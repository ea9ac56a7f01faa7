import {
  type Clock,
  type EventStore,
  KEPT_ANSWERS,
  type Stores,
  type Webhook,
  type WebhookAnswer,
  type WebhookDelivery,
  type WebhookName,
  type WebhookProgress,
} from '../src/index.ts'
import { NOTHING_FAILED } from '../src/webhooks/webhook-progress.ts'
import { type Journal, Table } from './journal.ts'
import { isParked, leasedTable, UNTRIED } from './leases.ts'

export const memoryWebhooks = (
  journal: Journal,
  clock: Clock,
  events: EventStore,
): Pick<Stores, 'webhooks' | 'webhookDeliveries'> => {
  const webhooks = new Table<WebhookName, Webhook>(journal)
  const progresses = new Table<WebhookName, WebhookProgress>(journal)
  const deliveries = leasedTable<WebhookDelivery>(journal, clock, ({ event }) => event.position)

  const answers = new Table<WebhookName, readonly WebhookAnswer[]>(journal)

  const ofTarget = (name: WebhookName) => deliveries.entries().filter(({ webhook }) => webhook === name)
  const isFirst = ({ webhook, event }: WebhookDelivery): boolean =>
    !ofTarget(webhook).some(
      (other) => !isParked(other) && other.event.subject === event.subject && other.event.position < event.position,
    )
  const after = async (position: number) => (await events.list({ after: position, limit: 1 })).items[0]
  /** Since when there has been something to do for each target. */
  const dues = async (): Promise<{ name: WebhookName; since: number }[]> => {
    const found: { name: WebhookName; since: number }[] = []
    for (const { name, disabled } of webhooks.rows()) {
      const progress = progresses.get(name)
      if (progress === undefined || disabled || progress.pausedUntil > clock.now()) continue
      const times = deliveries
        .due(({ entry }) => entry.webhook === name && isFirst(entry))
        .map(({ notBefore }) => notBefore)
      const behind = await after(progress.cursor)
      if (behind) times.push(Math.max(behind.at, progress.pausedUntil))
      if (times.length > 0) found.push({ name, since: Math.min(...times) })
    }
    return found
  }

  return {
    webhooks: {
      find: async (name) => webhooks.get(name),
      list: async (stretch) => webhooks.page(stretch),
      put: async (webhook) => {
        const { name } = webhook
        if (progresses.get(name) === undefined) progresses.set(name, { ...NOTHING_FAILED, cursor: await events.last() })
        webhooks.set(name, webhook)
      },
      remove: async (name) => {
        const found = webhooks.take(name)
        progresses.delete(name)
        answers.delete(name)
        deliveries.prune(({ webhook }) => webhook === name)
        return found
      },
    },
    webhookDeliveries: {
      ...deliveries.store,
      list: async ({ webhook, ...stretch }) =>
        deliveries.page(stretch, (one) => (webhook ?? one.webhook) === one.webhook),
      due: async (stretch) => {
        const found = new Set((await dues()).map(({ name }) => name))
        const { items, next } = webhooks.page(stretch, ({ name }) => found.has(name))
        return { items: items.map(({ name }) => name), next }
      },
      health: async () => ({
        parked:
          deliveries.entries().some(isParked) ||
          webhooks.rows().some(({ disabled }) => disabled !== undefined && disabled.because !== 'by-hand'),
        dueSince: (await dues()).map(({ since }) => since).sort((a, b) => a - b)[0],
      }),
      settleMany: async (owner, ids) => {
        for (const id of ids) if (deliveries.held(id, owner)) deliveries.delete(id)
      },
      progress: async (name) => progresses.get(name),
      failing: async () =>
        progresses
          .entries()
          .filter(([name]) => webhooks.get(name)?.disabled?.because !== 'by-hand')
          .flatMap(([name, { failingSince }]) => (failingSince === undefined ? [] : [[name, failingSince] as const]))
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      answers: async (name) => answers.get(name) ?? [],
      keepAnswers: async (name, more) => {
        if (webhooks.get(name) === undefined) return
        answers.set(name, [...more.toReversed(), ...(answers.get(name) ?? [])].slice(0, KEPT_ANSWERS))
      },
      putProgress: async (name, progress) => {
        if (progresses.get(name) !== undefined) progresses.set(name, progress)
      },
      waiting: async (name) => ofTarget(name).filter((delivery) => !isParked(delivery)).length,
      add: async (webhook, all) => {
        if (webhooks.get(webhook) === undefined) return
        // One time for all of them: otherwise a clock that ticks meanwhile would decide on their order.
        const now = clock.now()
        for (const event of all) {
          const known = ofTarget(webhook).find((one) => one.event.position === event.position)
          if (known === undefined)
            deliveries.add((id) => ({ id, webhook, event, createdAt: now, notBefore: now, ...UNTRIED }))
          else if (isParked(known)) await deliveries.store.retry(known.id)
        }
      },
      claim: async ({ webhook, ...claim }) =>
        deliveries.claim(claim, (delivery) => delivery.webhook === webhook && isFirst(delivery)),
      retryAll: async (name, { parked }) => {
        const all = ofTarget(name).filter((delivery) => isParked(delivery) === parked)
        for (const { id } of all) await deliveries.store.retry(id)
        return all.length
      },
      reschedule: async (beyond) => {
        const now = clock.now()
        const late = deliveries.entries().filter((one) => !isParked(one) && one.notBefore > now + beyond)
        for (const { id } of late) deliveries.change(id, { notBefore: now })
        for (const { name } of webhooks.rows()) {
          const progress = progresses.get(name)
          if (progress && progress.pausedUntil > now + beyond) progresses.set(name, { ...progress, pausedUntil: now })
        }
      },
      prune: async (before, limit) =>
        deliveries.prune(({ parkedAt }) => parkedAt !== undefined && parkedAt < before, limit),
    },
  }
}
