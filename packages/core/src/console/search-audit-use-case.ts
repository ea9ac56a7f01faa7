import { AUDIT_ACTIONS } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { AUDIT_OUTCOMES } from '../audit/audit-store.ts'
import { type FoundRecords, lookBack, type WantedRecords } from '../audit/look-through.ts'
import { readGiven } from '../read-all.ts'
import { parseOneOf } from '../text.ts'
import { UseCase } from '../use-case.ts'

export interface SearchAuditCommand extends Omit<WantedRecords, 'since'> {
  /** What comes before this place; the newest if absent. */
  readonly before?: number | undefined
}

const MOST_SHOWN = 50

/** The trail from its end, and what of it matches; as far as one request should look. */
export class SearchAuditUseCase extends UseCase<'access', 'audit'> {
  static readonly permission = 'audit:read'
  static readonly action = 'audit.read'

  /** @throws {InvalidInput} there is no such action, or no such outcome */
  async execute({ before, actor, target, ...named }: SearchAuditCommand, caller: Caller): Promise<FoundRecords> {
    await this.ports.access.require(caller, SearchAuditUseCase)
    const { action, outcome } = readGiven(named, {
      action: (name) => parseOneOf('action', name, AUDIT_ACTIONS),
      outcome: (name) => parseOneOf('outcome', name, AUDIT_OUTCOMES),
    })
    const wanted = { actor, action, target, outcome }
    return await lookBack(this.ports.readers.audit, wanted, { before, limit: MOST_SHOWN })
  }
}
