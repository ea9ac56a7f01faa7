import type { Caller } from '../access/caller.ts'
import { warnOfUndeliverable } from '../feedback/deliverability.ts'
import { rememberedFeeds } from '../feeds/feed.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Needs } from '../use-case.ts'
import { ImportTally, type RefusedRow } from './import-report.ts'
import type { ImportRow } from './import-row.ts'
import { isRefused } from './import-units.ts'
import {
  type GoodVerdict,
  type ImportLookups,
  type ImportVerdict,
  importVerdict,
  storeRow,
  storeUpdate,
  type Updatable,
  type UpdateVerdict,
  withoutMoved,
} from './import-verdict.ts'

/** A row that was read: good, or refused already. */
export type ReadRow = ImportRow | RefusedRow

/** The outcomes of the rows from the first one on; as many as the tally counts. */
export interface UnitOutcome {
  readonly tally: ImportTally
  readonly refusals: readonly RefusedRow[]
}

/** Milliseconds. While units run one after another, another writer waits at most so long, and for the commit. */
const TIME_FOR_ROWS = 12
/** Rows that are looked up together, which costs some stores little more than one. */
const ROWS_IN_TURN = 16
/** All of a unit: each of them is locked until it ends. */
const ROWS_SIDE_BY_SIDE = 256

type Ports = Needs<'clock' | 'requests' | 'digests' | 'linkLife' | 'randomness' | 'trail' | 'transport' | 'unitOfWork'>

/** Stores as many of the rows as a unit has time for, at least one, and one audit record if any was new. */
export const storeRows = async (
  ports: Ports,
  stores: Stores,
  rows: readonly ReadRow[],
  { mail, update, caller }: { readonly mail: boolean; readonly update: readonly Updatable[]; readonly caller: Caller },
): Promise<UnitOutcome> => {
  await ports.requests.first(
    stores,
    rows.flatMap((row) => (isRefused(row) ? [] : row.hashes.address)),
  )
  const now = ports.clock.now()
  const means = { ...ports, now, mail, update }
  const lookups = {
    ...stores,
    ledgers: stores.consents,
    feed: rememberedFeeds(stores.feeds),
    now,
    update,
  }
  const confirmed: Subscription[] = []
  const outcome = await judgeRows(ports, rows, lookups, async (verdict) => {
    if (verdict.kind === 'updated') return await storeUpdate(stores, verdict, now)
    const subscription = await storeRow(stores, verdict, means)
    if (subscription.status === 'confirmed') confirmed.push(subscription)
  })
  await warnOfUndeliverable(stores, confirmed, now)
  const changed = outcome.tally.counts.imported + outcome.tally.updated
  if (changed > 0) await ports.trail.done(stores.audit, caller, { action: 'subscription.import' }, `rows ${changed}`)
  return outcome
}

/** What would happen to the rows; nothing is stored, so a row that comes twice counts twice. */
export const rehearseRows = async (
  ports: Ports,
  rows: readonly ReadRow[],
  lookups: Omit<ImportLookups, 'now'>,
): Promise<UnitOutcome> => {
  return await judgeRows(ports, rows, { ...lookups, now: ports.clock.now() }, async () => undefined)
}

const judgeRows = async (
  { clock, unitOfWork: { sideBySide = false } }: Ports,
  rows: readonly ReadRow[],
  lookups: ImportLookups,
  store: (verdict: GoodVerdict | UpdateVerdict) => Promise<void>,
): Promise<UnitOutcome> => {
  const tally = new ImportTally()
  const refusals: RefusedRow[] = []
  const atOnce = sideBySide ? ROWS_SIDE_BY_SIDE : ROWS_IN_TURN
  const hasTime = () => !sideBySide && clock.now() - lookups.now < TIME_FOR_ROWS
  let done = 0
  while (done < rows.length && (done === 0 || hasTime())) {
    for await (const verdict of judged(rows.slice(done, done + atOnce), lookups)) {
      if (verdict.kind === 'good' || verdict.kind === 'updated') await store(verdict)
      if (verdict.kind === 'refused') refusals.push(verdict.refusal)
      tally.count(verdict.kind === 'good' ? verdict.row.status : verdict.kind)
      done++
    }
  }
  return { tally, refusals }
}

/** The verdicts on rows, each to be carried out before the next is taken. */
async function* judged(rows: readonly ReadRow[], lookups: ImportLookups): AsyncGenerator<ImportVerdict> {
  const judge = async (row: ReadRow): Promise<ImportVerdict> =>
    isRefused(row) ? { kind: 'refused', refusal: row } : await importVerdict(row, lookups)
  const touched = new Set<SubscriptionId>()
  const verdicts = await withoutMoved(await Promise.all(rows.map(judge)), lookups)
  for (const [place, first] of verdicts.entries()) {
    const row = rows[place]
    // What was looked up before a row of the same address was stored is no longer so.
    const isOld = row !== undefined && 'id' in first && touched.has(first.id)
    const verdict = isOld ? await judge(row) : first
    yield verdict
    if ('id' in verdict) touched.add(verdict.id)
  }
}
