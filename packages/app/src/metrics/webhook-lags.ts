import type { Readers, WebhookName } from '@rollcall/core'

interface WebhookLag {
  readonly webhook: WebhookName
  /** Milliseconds for which the oldest event has waited that the target wants and did not get; 0 if none waits. */
  readonly lag: number
  /** Milliseconds for which it has taken nothing; 0 if it took the last one that it was sent. */
  readonly failing: number
}

type Needs = Pick<Readers, 'events' | 'webhookDeliveries' | 'webhooks'>

/** More would be as many series and as many looks at each scrape: of the others, those that fail are there. */
const MOST = 100

/** How far the targets are behind that were not disabled by hand. */
export const webhookLags = async (readers: Needs, now: number): Promise<readonly WebhookLag[]> => {
  const failing = new Map(await readers.webhookDeliveries.failing())
  const { items } = await readers.webhooks.list({ after: 0, limit: MOST })
  const enabled = items.filter(({ disabled }) => disabled?.because !== 'by-hand').map(({ name }) => name)
  return await Promise.all(
    [...new Set([...enabled, ...failing.keys()])].map(async (webhook) => ({
      webhook,
      lag: Math.max(0, now - (await oldestOf(readers, webhook, now))),
      failing: Math.max(0, now - (failing.get(webhook) ?? now)),
    })),
  )
}

const oldestOf = async ({ events, webhookDeliveries }: Needs, webhook: WebhookName, now: number): Promise<number> => {
  const after = (await webhookDeliveries.progress(webhook))?.cursor
  const [queued, next] = await Promise.all([
    webhookDeliveries.list({ webhook, parked: false, after: 0, limit: 1 }),
    after === undefined ? undefined : events.list({ after, limit: 1 }),
  ])
  return Math.min(now, ...queued.items.map(({ event }) => event.at), ...(next?.items ?? []).map(({ at }) => at))
}
