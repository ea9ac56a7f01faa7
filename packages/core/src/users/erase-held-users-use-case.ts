import { SYSTEM } from '../access/caller.ts'
import { forgetMails } from '../outbox/forget-mails.ts'
import type { Stores } from '../unit-of-work.ts'
import { type BatchReport, UseCase } from '../use-case.ts'
import { eraseSubscriptionsOf } from './delete-user-use-case.ts'
import type { HeldUser } from './user.ts'

const BATCH = 100

/** Erases the deleted users whose grace period is over. */
export class EraseHeldUsersUseCase extends UseCase<'unitOfWork' | 'trail' | 'clock' | 'erasure' | 'transport'> {
  async execute(): Promise<BatchReport> {
    const { count, mails } = await this.ports.unitOfWork.run(async (stores) => {
      const due = await stores.heldUsers.due(this.ports.clock.now(), BATCH)
      const forgotten: string[] = []
      for (const { user } of due) {
        // Looked for once more, under its lock: it may have been restored.
        const held = await stores.heldUsers.find(user.id)
        if (held !== undefined) forgotten.push(...(await this.#erase(stores, held)))
      }
      return { count: due.length, mails: forgotten }
    })
    await forgetMails(this.ports.transport, mails)
    return { count, more: count === BATCH }
  }

  async #erase(stores: Stores, { user, subscriptions }: HeldUser): Promise<readonly string[]> {
    await stores.heldUsers.remove(user.id)
    const current = await stores.tombstones.find(user.id)
    const tokens = current?.erased.tokens ?? 0
    const { tombstone, mails } = await eraseSubscriptionsOf({ user, tokens }, subscriptions, stores, this.ports.erasure)
    if (current) await stores.tombstones.put(user.id, { ...current, ...tombstone })
    await this.ports.trail.done(stores.audit, SYSTEM, { action: 'user.erase', target: user.id })
    return mails
  }
}
