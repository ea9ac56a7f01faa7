import { SYSTEM } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import type { Clock } from '../ports/clock.ts'
import type { MailTransport } from '../ports/mail-transport.ts'
import type { Stores, UnitOfWork } from '../ports/unit-of-work.ts'
import type { SubscriptionErasure } from '../subscriptions/subscription-erasure.ts'
import type { HeldUser } from './held-user.ts'

export interface HeldErasureReport {
  readonly erased: number
  /** There may be more: call again. */
  readonly more: boolean
}

const BATCH = 100

/** Erases the deleted users whose grace is over. */
export class EraseHeldUsersUseCase {
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail
  readonly #clock: Clock
  readonly #erasure: SubscriptionErasure
  readonly #transport: Pick<MailTransport, 'forget'>

  constructor(ports: {
    unitOfWork: UnitOfWork
    trail: AuditTrail
    clock: Clock
    erasure: SubscriptionErasure
    transport: Pick<MailTransport, 'forget'>
  }) {
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
    this.#clock = ports.clock
    this.#erasure = ports.erasure
    this.#transport = ports.transport
  }

  /** One bounded batch. */
  async execute(): Promise<HeldErasureReport> {
    const { erased, mails } = await this.#unitOfWork.run(async (stores) => {
      const due = await stores.heldUsers.due(this.#clock.now(), BATCH)
      const forgotten: string[] = []
      for (const held of due) forgotten.push(...(await this.#erase(stores, held)))
      return { erased: due.length, mails: forgotten }
    })
    await this.#transport.forget(mails)
    return { erased, more: erased === BATCH }
  }

  async #erase(stores: Stores, { user, subscriptions }: HeldUser): Promise<readonly string[]> {
    await stores.heldUsers.remove(user.id)
    const { erased, kept, mails } = await this.#erasure.ofAddress(stores, user.emailKey, subscriptions)
    const tombstone = await stores.tombstones.find(user.id)
    if (tombstone) {
      const counts = { users: 1, roles: user.roles.length, subscriptions: erased, mails: mails.length }
      await stores.tombstones.put(user.id, {
        ...tombstone,
        erasesAt: undefined,
        erased: counts,
        subscriptionsKept: kept,
      })
    }
    await this.#trail.done(stores.audit, SYSTEM, { action: 'user.erase', target: user.id })
    return mails
  }
}
