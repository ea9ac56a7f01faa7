import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import type { Instant } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import type { Stores, UnitOfWork } from '../storage/unit-of-work.ts'
import type { Feed, FeedName } from '../subscriptions/feed.ts'
import type { SubscriptionId } from '../subscriptions/subscription.ts'
import { ImportTally, type RefusedRow } from './import-report.ts'
import type { ImportRow } from './import-row.ts'
import {
  type ImportLookups,
  type ImportVerdict,
  importVerdict,
  type SubscriptionImport,
} from './subscription-import.ts'

/** A row that was read: good, or refused already. */
export type ReadRow = ImportRow | RefusedRow

export const isGood = (row: ReadRow): row is ImportRow => !isRefused(row)

export const isRefused = (row: ReadRow): row is RefusedRow => 'error' in row

/** The outcomes of the rows from the first one on; as many as the tally counts. */
export interface UnitOutcome {
  readonly tally: ImportTally
  readonly refusals: readonly RefusedRow[]
  readonly mailPending: boolean
}

/** Milliseconds. While units run one after another, another writer waits at most so long, and for the commit. */
const TIME_FOR_ROWS = 12
const ROWS_IN_TURN = 16
/** All of a unit: each of them is locked until it ends. */
const ROWS_SIDE_BY_SIDE = 256

/** The rows of an import that are stored together. */
export class ImportUnit {
  readonly #clock: Clock
  readonly #trail: AuditTrail
  readonly #import: SubscriptionImport
  readonly #sideBySide: boolean

  constructor(ports: {
    clock: Clock
    trail: AuditTrail
    import: SubscriptionImport
    unitOfWork: Pick<UnitOfWork, 'sideBySide'>
  }) {
    this.#sideBySide = ports.unitOfWork.sideBySide === true
    this.#clock = ports.clock
    this.#trail = ports.trail
    this.#import = ports.import
  }

  /** Stores as many of the rows as a unit has time for, at least one, and one audit record if any was new. */
  async carryOut(
    stores: Stores,
    rows: readonly ReadRow[],
    { mail, caller }: { readonly mail: boolean; readonly caller: Caller },
  ): Promise<UnitOutcome> {
    const now = this.#clock.now()
    const lookups = { ...stores, feed: remembered((name) => stores.feeds.find(name)) }
    const outcome = await this.#each(rows, { lookups, now }, async (row, verdict) => {
      if (verdict.kind === 'begin') await this.#import.begin(stores, row, verdict, { now, mail })
      else if (verdict.kind === 'confirm') await this.#import.confirm(stores, row, verdict, now)
    })
    const { imported, pending } = outcome.tally.counts
    if (imported > 0)
      await this.#trail.done(stores.audit, caller, { action: 'subscription.import' }, `rows ${imported}`)
    return { ...outcome, mailPending: mail && pending > 0 }
  }

  /** What would happen to the rows; nothing is stored, so a row that comes twice counts twice. */
  async rehearse(rows: readonly ReadRow[], lookups: ImportLookups): Promise<UnitOutcome> {
    const outcome = await this.#each(rows, { lookups, now: this.#clock.now() }, async () => undefined)
    return { ...outcome, mailPending: false }
  }

  async #each(
    rows: readonly ReadRow[],
    { lookups, now }: UnitContext,
    store: (row: ImportRow, verdict: ImportVerdict) => Promise<void>,
  ): Promise<{ readonly tally: ImportTally; readonly refusals: readonly RefusedRow[] }> {
    const tally = new ImportTally()
    const refusals: RefusedRow[] = []
    const refuse = (refusal: RefusedRow): void => {
      tally.refused()
      refusals.push(refusal)
    }
    let done = 0
    while (done < rows.length && (done === 0 || this.#hasTime(now))) {
      for await (const [row, verdict] of judged(rows.slice(done, done + this.#atOnce), lookups, now)) {
        if (verdict !== undefined) await store(row, verdict)
        if (verdict === undefined) refuse(row)
        else if (verdict.kind === 'refused') refuse(verdict.refusal)
        else if (verdict.kind === 'unchanged') tally.unchanged()
        else tally.imported(row.status)
        done++
      }
    }
    return { tally, refusals }
  }

  #hasTime(since: Instant): boolean {
    return !this.#sideBySide && this.#clock.now() - since < TIME_FOR_ROWS
  }

  /** Rows that are looked up together, which costs some stores little more than one. */
  get #atOnce(): number {
    return this.#sideBySide ? ROWS_SIDE_BY_SIDE : ROWS_IN_TURN
  }
}

interface UnitContext {
  readonly lookups: ImportLookups
  readonly now: Instant
}

type Judged = readonly [row: ImportRow, verdict: ImportVerdict] | readonly [row: RefusedRow, verdict: undefined]

/** Rows with their verdicts, each to be stored before the next is taken. */
async function* judged(rows: readonly ReadRow[], lookups: ImportLookups, now: Instant): AsyncGenerator<Judged> {
  const judge = async (row: ReadRow): Promise<Judged> =>
    isGood(row) ? [row, await importVerdict(row, lookups, now)] : [row, undefined]
  const touched = new Set<SubscriptionId>()
  for (const looked of await Promise.all(rows.map(judge))) {
    const id = subjectOf(looked)
    // What was looked up before a row of the same address was stored is no longer so.
    yield id !== undefined && touched.has(id) ? await judge(looked[0]) : looked
    if (id !== undefined) touched.add(id)
  }
}

const subjectOf = ([, verdict]: Judged): SubscriptionId | undefined => {
  if (verdict?.kind === 'begin') return verdict.id
  return verdict?.kind === 'confirm' ? verdict.current.id : undefined
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
