import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import type { Clock } from '../ports/clock.ts'
import type { Stores } from '../ports/unit-of-work.ts'
import type { Feed, FeedName } from '../subscriptions/feed.ts'
import type { RefusedRow } from './import-report.ts'
import type { ImportRow } from './import-row.ts'
import { ImportTally } from './import-tally.ts'
import { type ImportLookups, type ImportVerdict, importVerdict } from './import-verdict.ts'
import type { SubscriptionImport } from './subscription-import.ts'

/** A row that was read: good, or refused already. */
export type ReadRow = ImportRow | RefusedRow

export const isGood = (row: ReadRow): row is ImportRow => !isRefused(row)

export const isRefused = (row: ReadRow): row is RefusedRow => 'error' in row

/** What became of the rows from the first one on; as many as the tally counts. */
export interface UnitOutcome {
  readonly tally: ImportTally
  readonly refusals: readonly RefusedRow[]
  readonly mailOwed: boolean
}

// Milliseconds. Whoever else writes waits for so long at most, and for the commit.
const TIME_FOR_ROWS = 12

/** The rows of an import that are stored together. */
export class ImportUnit {
  readonly #clock: Clock
  readonly #trail: AuditTrail
  readonly #import: SubscriptionImport

  constructor(ports: { clock: Clock; trail: AuditTrail; import: SubscriptionImport }) {
    this.#clock = ports.clock
    this.#trail = ports.trail
    this.#import = ports.import
  }

  /** Stores as many of the rows as there is time for, at least one, and one audit record if any was new. */
  async carryOut(
    stores: Stores,
    rows: readonly ReadRow[],
    { mail, caller }: { readonly mail: boolean; readonly caller: Caller },
  ): Promise<UnitOutcome> {
    const now = this.#clock.now()
    const lookups = { ...stores, feed: remembered((name) => stores.feeds.find(name)) }
    const outcome = await this.#each(rows, lookups, now, async (row, verdict) => {
      if (verdict.kind === 'begin') await this.#import.begin(stores, row, verdict, { now, mail })
      else if (verdict.kind === 'confirm') await this.#import.confirm(stores, row, verdict, now)
    })
    const { imported, pending } = outcome.tally.counts
    if (imported > 0)
      await this.#trail.done(stores.audit, caller, { action: 'subscription.import' }, `rows ${imported}`)
    return { ...outcome, mailOwed: mail && pending > 0 }
  }

  /** What would become of the rows; nothing is stored, so that a row that comes twice counts twice. */
  async rehearse(rows: readonly ReadRow[], lookups: ImportLookups): Promise<UnitOutcome> {
    const outcome = await this.#each(rows, lookups, this.#clock.now(), async () => undefined)
    return { ...outcome, mailOwed: false }
  }

  async #each(
    rows: readonly ReadRow[],
    lookups: ImportLookups,
    now: number,
    store: (row: ImportRow, verdict: ImportVerdict) => Promise<void>,
  ): Promise<{ readonly tally: ImportTally; readonly refusals: readonly RefusedRow[] }> {
    const tally = new ImportTally()
    const refusals: RefusedRow[] = []
    const refuse = (refusal: RefusedRow): void => {
      tally.refused()
      refusals.push(refusal)
    }
    for (const [index, row] of rows.entries()) {
      if (index > 0 && this.#clock.now() - now >= TIME_FOR_ROWS) break
      if (!isGood(row)) {
        refuse(row)
        continue
      }
      const verdict = await importVerdict(row, lookups, now)
      await store(row, verdict)
      if (verdict.kind === 'refused') refuse(verdict.refusal)
      else if (verdict.kind === 'unchanged') tally.unchanged()
      else tally.imported(row.status)
    }
    return { tally, refusals }
  }
}

/** Feeds are few: each is looked up once. */
export const remembered = (
  find: (name: FeedName) => Promise<Feed | undefined>,
): ((name: FeedName) => Promise<Feed | undefined>) => {
  const known = new Map<FeedName, Promise<Feed | undefined>>()
  return (name) => {
    const feed = known.get(name) ?? find(name)
    known.set(name, feed)
    return feed
  }
}
