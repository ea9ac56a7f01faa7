import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import type { OutboxId } from './outbox-entry.ts'

/** Sends waiting or parked mails at once instead of later. The caps on mails to one address still hold. */
export class RetryOutboxUseCase {
  readonly #access: AccessControl
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail

  constructor(ports: { access: AccessControl; unitOfWork: UnitOfWork; trail: AuditTrail }) {
    this.#access = ports.access
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
  }

  /** Whether there is such a mail. */
  async execute({ id }: { readonly id: OutboxId }, caller: Caller): Promise<boolean> {
    const attempt = { action: 'outbox.retry', target: String(id) } as const
    this.#access.require(caller, 'outbox:retry', attempt)
    return await this.#unitOfWork.run(async ({ outbox, audit }) => {
      const found = await outbox.retry(id)
      if (found) await this.#trail.done(audit, caller, attempt)
      return found
    })
  }
}
