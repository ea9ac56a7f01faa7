import type { Caller } from '../access/caller.ts'
import { type FoundRecords, lookBack, type WantedRecords } from '../audit/look-through.ts'
import { UseCase } from '../use-case.ts'

export interface SearchAuditCommand extends Omit<WantedRecords, 'since'> {
  /** Records before this one; the newest if absent. */
  readonly before?: number | undefined
}

const MOST_SHOWN = 50

/** The trail from its end, and what of it matches; as far as one request should look. */
export class SearchAuditUseCase extends UseCase<'access', 'audit'> {
  static readonly permission = 'audit:read'
  static readonly action = 'audit.read'

  async execute({ before, ...wanted }: SearchAuditCommand, caller: Caller): Promise<FoundRecords> {
    await this.ports.access.require(caller, SearchAuditUseCase)
    return await lookBack(this.ports.readers.audit, wanted, { before, limit: MOST_SHOWN })
  }
}
