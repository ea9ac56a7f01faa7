import { subscriptionEvent } from '../events/event-store.ts'
import type { Instant } from '../instant.ts'
import { erasureCauseOf } from '../numbers/numbers-of-event.ts'
import { forgetMails } from '../outbox/forget-mails.ts'
import { eraseSubscription } from '../subscriptions/subscription-erasure.ts'
import type { Stores } from '../unit-of-work.ts'
import { type BatchReport, UseCase } from '../use-case.ts'
import type { AddressMove, MovedSubscription } from './move-store.ts'
import { hasReturned, isMadeByMove, removeMove } from './moved-subscriptions.ts'

const BATCH = 20

/** Forgets requests that have expired, and erases what was moved once that can no longer be undone. */
export class FinishMovesUseCase extends UseCase<'clock' | 'unitOfWork' | 'transport'> {
  /** Counts the old subscriptions that were erased. */
  async execute(): Promise<BatchReport> {
    const now = this.ports.clock.now()
    const { mails, erased, over } = await this.ports.unitOfWork.run(async (stores) => {
      const over = await stores.moves.over(now, BATCH)
      const mails: string[] = []
      let erased = 0
      for (const move of over) {
        const finished = await finishMove(stores, move, now)
        mails.push(...finished.mails)
        erased += finished.erased
      }
      return { mails, erased, over: over.length }
    })
    await forgetMails(this.ports.transport, mails)
    return { count: erased, more: over === BATCH }
  }
}

/**
 * The old ones go; of each, its id and that of what was made of it stay, so that links in old mails still work. Gives
 * the Message-IDs that the mail transport must forget once the unit of work is committed.
 */
export const finishMove = async (
  stores: Stores,
  move: AddressMove,
  at: Instant,
): Promise<{ readonly mails: readonly string[]; readonly erased: number }> => {
  const mails: string[] = []
  let erased = 0
  for (const moved of await stores.moves.ofMove(move.id)) {
    const { oldId, newId } = moved
    const old = await stores.subscriptions.find(oldId)
    if (await hasReturned(stores, old, moved)) {
      await stores.moves.unlink(oldId)
      continue
    }
    // A form that waits to be confirmed stays, until it has expired.
    if (old?.status === 'ended') {
      mails.push(...(await eraseSubscription(stores, old, false)))
      await stores.events.append(subscriptionEvent('subscription.erased', old, at, erasureCauseOf(old, at)))
      erased++
    }
    // What had moved to the old one before has moved on with it.
    const olds: MovedSubscription[] = [{ oldId, newId, episode: '', newEpisode: undefined, move: undefined }]
    for (const earlier of await stores.moves.movedTo(oldId)) if (isMadeByMove(earlier)) olds.push(earlier)
    for (const one of olds)
      await (isMadeByMove(moved) ? stores.moves.link({ ...one, newId }) : stores.moves.unlink(one.oldId))
  }
  mails.push(...(await removeMove(stores, move)))
  return { mails, erased }
}
