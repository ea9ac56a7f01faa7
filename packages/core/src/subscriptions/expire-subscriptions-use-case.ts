import { DAY } from '../instant.ts'
import { UseCase } from '../use-case.ts'

export interface ExpiryReport {
  readonly expired: number
  /** There may be more: call again. */
  readonly more: boolean
}

const BATCH = 100
/** How long events are kept. */
const EVENT_LIFE = 30 * DAY
/** How long feedback waits for a decision. */
const WAITING_LIFE = 90 * DAY

/** Removes pending subscriptions whose links have expired, and mail caps, solutions, events and feedback that are too old. */
export class ExpireSubscriptionsUseCase extends UseCase<'clock' | 'unitOfWork' | 'erasure' | 'metrics' | 'transport'> {
  /** One bounded batch. */
  async execute(): Promise<ExpiryReport> {
    const now = this.ports.clock.now()
    const { mails, expired, pruned } = await this.ports.unitOfWork.run(async (stores) => {
      const expired = await stores.subscriptions.expired(now, BATCH)
      const mails: string[] = []
      for (const subscription of expired) mails.push(...(await this.ports.erasure.of(stores, subscription)))
      if (expired.length > 0) await stores.signUpCounts.add('expired', expired.length)
      const pruned = Math.max(
        await stores.signUpGroups.prune(now, BATCH),
        await stores.mailCaps.prune(now - 7 * DAY, BATCH),
        await stores.spentChallenges.prune(now, BATCH),
        await stores.events.prune(now - EVENT_LIFE, BATCH),
        await stores.webhookDeliveries.prune(now - EVENT_LIFE, BATCH),
        await stores.deliverability.prune(now, BATCH),
        await stores.feedback.pruneSeen(now, BATCH),
        await stores.feedback.pruneCounts(Math.floor((now - DAY) / DAY), BATCH),
        await stores.feedback.pruneWaiting(now - WAITING_LIFE, BATCH),
      )
      return { mails, expired: expired.length, pruned }
    })
    if (expired > 0) this.ports.metrics.reached('expired', expired)
    await this.ports.transport.forget(mails)
    return { expired, more: expired === BATCH || pruned === BATCH }
  }
}
