import { AUDIT_ACTIONS } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { parseTime } from '../instant.ts'
import { type SortedPageRequest, sortedStretchOf } from '../page.ts'
import { readAll } from '../read-all.ts'
import { parseOneOf } from '../text.ts'
import { UseCase } from '../use-case.ts'
import { type FoundRecords, lookBack, lookForward, type WantedRecords } from './look-through.ts'

export interface ListAuditCommand extends SortedPageRequest, Pick<WantedRecords, 'action' | 'target'> {
  /** A time, or a day: only what was done then or later. */
  readonly since?: string | undefined
}

export class ListAuditUseCase extends UseCase<'access' | 'clock', 'audit'> {
  static readonly permission = 'audit:read'
  static readonly action = 'audit.read'

  /**
   * The oldest first, and what could not be sealed at the end, without a number; or the newest first. One request looks
   * at so many records, and may find none of those that are wanted: `next` says whether there is more to look at.
   * @throws {MalformedRequest} the cursor did not come from a list
   * @throws {InvalidInput} the limit, the order, the action or the time is not valid
   */
  async execute(
    { action: named, target, since: from = '', ...request }: ListAuditCommand,
    caller: Caller,
  ): Promise<FoundRecords> {
    await this.ports.access.require(caller, ListAuditUseCase)
    const { stretch, action, since } = readAll({
      stretch: () => sortedStretchOf(request),
      action: () => (named === undefined ? undefined : parseOneOf('action', named, AUDIT_ACTIONS)),
      since: () => parseTime(from, 'since', this.ports.clock.now()),
    })
    const { audit } = this.ports.readers
    const wanted = { action, target, since }
    const { sort, cursor, limit } = stretch
    return await (sort === 'oldest'
      ? lookForward(audit, wanted, { after: cursor ?? 0, limit })
      : lookBack(audit, wanted, { before: cursor, limit }))
  }
}
