import { subscriptionEvent } from '../events/event-store.ts'
import { forgetDeliverability } from '../feedback/deliverability.ts'
import { DAY, type Instant } from '../instant.ts'
import { forgetMails } from '../outbox/forget-mails.ts'
import type { Stores } from '../unit-of-work.ts'
import { type BatchReport, UseCase } from '../use-case.ts'
import { lastEndIn } from './consent.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionId } from './subscription-id.ts'
import { endSubscription } from './subscription-transitions.ts'

const BATCH = 100
/** How long events are kept. */
const EVENT_LIFE = 30 * DAY
/** How long feedback waits for a decision. */
const WAITING_LIFE = 90 * DAY

/**
 * Removes pending subscriptions whose links have expired, or ends them again, and removes mail caps, solutions, parked
 * requests, events and feedback that are too old.
 */
export class ExpireSubscriptionsUseCase extends UseCase<
  'clock' | 'unitOfWork' | 'erasure' | 'linkLife' | 'randomness' | 'transport'
> {
  async execute(): Promise<BatchReport> {
    const now = this.ports.clock.now()
    const { mails, ...report } = await this.ports.unitOfWork.run(async (stores) => {
      const erased = new Set<SubscriptionId>()
      const expired = await stores.subscriptions.expired(now, BATCH)
      const mails: string[] = []
      let ended = 0
      for (const subscription of expired) {
        if (await this.#endsAgain(stores, subscription, now)) {
          mails.push(...(await stores.keptMails.list(subscription.id)))
          ended++
        } else mails.push(...(await this.ports.erasure.expire(stores, subscription, erased)))
      }
      const pruned = Math.max(
        await stores.signUpGroups.prune(now, BATCH),
        await stores.requests.prune(now - this.ports.linkLife, BATCH),
        await stores.mailCaps.prune(now - 7 * DAY, BATCH),
        await stores.spentChallenges.prune(now, BATCH),
        await stores.events.prune(now - EVENT_LIFE, BATCH),
        await stores.webhookDeliveries.prune(now - EVENT_LIFE, BATCH),
        await this.#forget(stores, now),
        await stores.feedback.pruneSeen(now, BATCH),
        await stores.feedback.pruneCounts(Math.floor((now - DAY) / DAY), BATCH),
        await stores.feedback.pruneWaiting(now - WAITING_LIFE, BATCH),
      )
      const more = expired.length === BATCH || pruned === BATCH
      return { mails, count: erased.size + ended, more }
    })
    await forgetMails(this.ports.transport, mails)
    return report
  }

  /**
   * One whose owner had left before somebody, anybody, sent the form again has ended as it had, without what the form
   * said: what is erased could be brought back by a file. After a change of address it is known by that, as long as
   * that is known; and while that can be undone, it is as that has left it.
   */
  async #endsAgain(stores: Stores, subscription: Subscription, now: Instant): Promise<boolean> {
    const end = lastEndIn(await stores.consents.list(subscription.id))
    if (end === undefined) return false
    const [moved] = end.deed === 'moved' ? await stores.moves.movedFrom([subscription.id]) : []
    if (moved !== undefined && moved.move === undefined) return false
    const bare = { ...subscription, name: '', locale: undefined, fields: undefined }
    const ended = await endSubscription(stores, bare, end.at, moved?.episode ?? this.ports.randomness.hex(8))
    await stores.events.append(subscriptionEvent('subscription.ended', ended, now, 'expired'))
    return true
  }

  /** What was known of addresses for its time; how many there were. */
  async #forget(stores: Stores, now: Instant): Promise<number> {
    const expired = await stores.deliverability.expired(now, BATCH)
    for (const { address, state } of expired) await forgetDeliverability(stores, address, state, now)
    return expired.length
  }
}
