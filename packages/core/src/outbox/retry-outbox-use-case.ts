import type { Caller } from '../access/caller.ts'
import { UseCase } from '../use-case.ts'
import type { OutboxId } from './outbox-store.ts'

/** Sends waiting or parked mails at once instead of later. The caps on mails to one address still hold. */
export class RetryOutboxUseCase extends UseCase<'access' | 'unitOfWork' | 'trail'> {
  static readonly permission = 'outbox:retry'
  static readonly action = 'outbox.retry'

  /** Whether there is such a mail. */
  async execute({ id }: { readonly id: OutboxId }, caller: Caller): Promise<boolean> {
    const attempt = await this.ports.access.require(caller, RetryOutboxUseCase, String(id))
    return await this.ports.unitOfWork.run(async ({ outbox, audit }) => {
      const found = await outbox.retry(id)
      if (found) await this.ports.trail.done(audit, caller, attempt)
      return found
    })
  }
}
