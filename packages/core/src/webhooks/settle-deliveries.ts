import { SYSTEM } from '../access/caller.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Needs } from '../use-case.ts'
import { answersOf, type DeliveryOutcome, decideDeliveries, type WebhookDeliveryFailure } from './decide-deliveries.ts'
import type { Webhook, WebhookName } from './webhook.ts'
import { NOTHING_FAILED } from './webhook-progress.ts'

type Ports = Needs<'clock' | 'trail'>

/** Stores the outcomes of deliveries to a target, held by one owner, and what they say of it; gives those that have failed. */
export const settleDeliveries = async (
  stores: Stores,
  ports: Ports,
  { name, owner }: { readonly name: WebhookName; readonly owner: string },
  outcomes: readonly DeliveryOutcome[],
): Promise<readonly WebhookDeliveryFailure[]> => {
  const { webhooks, webhookDeliveries } = stores
  const [webhook, stored] = await Promise.all([webhooks.find(name), webhookDeliveries.progress(name)])
  const target = { webhook, progress: stored ?? NOTHING_FAILED }
  const { progress, settled, givenBack, failures } = decideDeliveries(target, outcomes)
  if (settled.length > 0) await webhookDeliveries.settleMany(owner, settled)
  if (givenBack.length > 0) await webhookDeliveries.giveBack(owner, givenBack)
  const answers = answersOf(outcomes)
  if (webhook && answers.length > 0) await webhookDeliveries.keepAnswers(name, answers)
  if (progress !== target.progress) await webhookDeliveries.putProgress(name, progress)
  const because = failures.find(({ disabled }) => disabled)?.disabled
  if (webhook && because) await disable(stores, ports, webhook, because)
  return failures
}

const disable = async (
  { webhooks, audit }: Stores,
  { clock, trail }: Ports,
  webhook: Webhook,
  because: NonNullable<WebhookDeliveryFailure['disabled']>,
): Promise<void> => {
  const now = clock.now()
  await webhooks.put({ ...webhook, disabled: { because, since: now }, updatedAt: now })
  await trail.done(audit, SYSTEM, { action: 'webhook.disable', target: webhook.name }, because)
}
