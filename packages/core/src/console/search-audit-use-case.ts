import type { Caller } from '../access/caller.ts'
import type { AuditReader, AuditRecord } from '../audit/audit-store.ts'
import { UseCase } from '../use-case.ts'

export interface SearchAuditCommand {
  /** Records before this one; the newest if absent. */
  readonly before?: number | undefined
  /** Each matches whole, and all have to. */
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly target?: string | undefined
  readonly outcome?: string | undefined
}

export interface FoundRecords {
  /** Newest first. */
  readonly items: readonly AuditRecord[]
  /** What to look before for more; undefined at the beginning of the trail. */
  readonly next: number | undefined
}

const MOST_SHOWN = 50
/** Records that one search looks at: whatever it looks for, it takes no longer. */
const MOST_LOOKED_AT = 2_000
const STRETCH = 200

/** The trail from its end, and what of it matches; as far as one request should look. */
export class SearchAuditUseCase extends UseCase<'access', 'audit'> {
  static readonly permission = 'audit:read'
  static readonly action = 'audit.read'

  async execute({ before, ...wanted }: SearchAuditCommand, caller: Caller): Promise<FoundRecords> {
    await this.ports.access.require(caller, SearchAuditUseCase)
    const { audit } = this.ports.readers
    const given = Object.entries(wanted).filter(([, value]) => value !== undefined && value !== '')
    const matches = (record: AuditRecord) =>
      given.every(([name, value]) => record[name as 'actor' | 'action' | 'target' | 'outcome'] === value)
    const unsealed = before === undefined ? (await audit.unsealed({ after: 0, limit: MOST_SHOWN })).items : []
    const items: AuditRecord[] = unsealed.filter(matches).reverse()
    let end = before ?? (await lastSequence(audit)) + 1
    const limit = given.length === 0 ? MOST_SHOWN : STRETCH
    for (let looked = 0; end > 1 && looked < MOST_LOOKED_AT; looked += limit) {
      const after = Math.max(0, end - 1 - limit)
      const stretch = await audit.list({ after, limit: end - 1 - after })
      for (const record of stretch.items.toReversed()) {
        if (!matches(record)) continue
        items.push(record)
        if (items.length >= MOST_SHOWN) return { items, next: record.sequence > 1 ? record.sequence : undefined }
      }
      end = after + 1
    }
    return { items, next: end > 1 ? end : undefined }
  }
}

/** Sequences have no gaps, so that a few looks find the last. */
const lastSequence = async (audit: AuditReader): Promise<number> => {
  const isThere = async (sequence: number) => (await audit.list({ after: sequence - 1, limit: 1 })).items.length > 0
  let there = (await audit.head())?.last ?? 0
  let step = 1
  while (await isThere(there + step)) {
    there += step
    step *= 2
  }
  for (; step > 1; step /= 2) if (await isThere(there + step / 2)) there += step / 2
  return there
}
