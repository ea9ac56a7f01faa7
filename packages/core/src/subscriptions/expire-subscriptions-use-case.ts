import { DAY } from '../instant.ts'
import type { Clock } from '../ports/clock.ts'
import type { MailTransport } from '../ports/mail-transport.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import type { SubscriptionErasure } from './subscription-erasure.ts'

export interface ExpiryReport {
  readonly expired: number
  /** There may be more: call again. */
  readonly more: boolean
}

const BATCH = 100

/** Removes pending subscriptions whose links have expired, and mail caps that no longer count. */
export class ExpireSubscriptionsUseCase {
  readonly #clock: Clock
  readonly #unitOfWork: UnitOfWork
  readonly #erasure: SubscriptionErasure
  readonly #transport: Pick<MailTransport, 'forget'>

  constructor(ports: {
    clock: Clock
    unitOfWork: UnitOfWork
    erasure: SubscriptionErasure
    transport: Pick<MailTransport, 'forget'>
  }) {
    this.#clock = ports.clock
    this.#unitOfWork = ports.unitOfWork
    this.#erasure = ports.erasure
    this.#transport = ports.transport
  }

  /** One bounded batch. */
  async execute(): Promise<ExpiryReport> {
    const now = this.#clock.now()
    const { mails, expired, pruned } = await this.#unitOfWork.run(async (stores) => {
      const expired = await stores.subscriptions.expired(now, BATCH)
      const mails: string[] = []
      for (const subscription of expired) mails.push(...(await this.#erasure.of(stores, subscription)))
      return { mails, expired: expired.length, pruned: await stores.mailCaps.prune(now - 7 * DAY, BATCH) }
    })
    await this.#transport.forget(mails)
    return { expired, more: expired === BATCH || pruned === BATCH }
  }
}
