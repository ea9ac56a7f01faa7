import type { Session } from '../session.ts'
import { type Column, TablePrinter } from '../table-printer.ts'
import { durationText } from '../texts.ts'
import type { DeletionOutcome, DeletionRow } from './deletion-row.ts'

const SHOWN = 20

/** How a run came out, counted. Remembers only the first few rows that were refused. */
export class DeletionTally {
  readonly counts: Record<DeletionOutcome, number> = {
    deleted: 0,
    would_delete: 0,
    already_deleted: 0,
    not_found: 0,
    refused: 0,
    left_out: 0,
    repeated: 0,
    blank: 0,
  }
  readonly #began = performance.now()
  readonly firstRefused: DeletionRow[] = []
  subscriptionsErased = 0
  subscriptionsKept = 0

  add(row: DeletionRow): void {
    this.counts[row.outcome]++
    this.subscriptionsErased += row.subscriptions?.erased ?? 0
    this.subscriptionsKept += row.subscriptions?.kept ?? 0
    if (isRefusal(row) && this.firstRefused.length < SHOWN) this.firstRefused.push(row)
  }

  /** Since the run began. */
  get seconds(): number {
    return (performance.now() - this.#began) / 1_000
  }

  get rows(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0)
  }

  /** Rows that stand for a user who is still there, or never was. */
  get refused(): number {
    return this.counts.refused + this.counts.not_found
  }
}

const isRefusal = ({ outcome }: DeletionRow): boolean => outcome === 'refused' || outcome === 'not_found'

const LABELS: Readonly<Record<DeletionOutcome, string>> = {
  deleted: 'Deleted',
  would_delete: 'Would be deleted',
  already_deleted: 'Deleted before',
  not_found: 'Not found',
  refused: 'Refused',
  left_out: 'Left out by the plan',
  repeated: 'Repeated rows',
  blank: 'Blank rows',
}

const REFUSED: readonly Column<DeletionRow>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'WHY IT WAS NOT DELETED', cell: ({ error }) => error?.message ?? '' },
]

export interface ReportOptions {
  readonly dryRun: boolean
  readonly interrupted: boolean
  /** The refused rows have not been shown yet. */
  readonly showRefused: boolean
}

/** Shows how a run over many users came out. */
export const printReport = async (session: Session, tally: DeletionTally, options: ReportOptions): Promise<void> => {
  const { dryRun, interrupted, showRefused } = options
  const { deleted, would_delete, ...others } = tally.counts
  const counts = { ...(dryRun ? { would_delete } : { deleted }), ...others }
  const { subscriptionsErased, subscriptionsKept, seconds, rows } = tally
  if (session.json) {
    const subscriptions = { subscriptions_erased: subscriptionsErased, subscriptions_kept: subscriptionsKept }
    const pace = { seconds: Math.round(seconds * 1_000) / 1_000, rows_per_second: Math.round(rows / seconds) }
    return await session.printJson({ report: { ...counts, ...subscriptions, ...pace, interrupted } })
  }
  if (showRefused && tally.firstRefused.length > 0) await printRefused(session, tally)
  const lines: [string, number | string][] = (Object.entries(counts) as [DeletionOutcome, number][])
    .filter(([outcome, count]) => count > 0 || ALWAYS.has(outcome))
    .map(([outcome, count]) => [LABELS[outcome], count])
  lines.push([dryRun ? 'Subscriptions that would go' : 'Subscriptions erased', subscriptionsErased])
  lines.push([dryRun ? 'Subscriptions that stay' : 'Subscriptions kept', subscriptionsKept])
  lines.push(['Time', durationText(seconds)], ['Rows a second', Math.round(rows / seconds)])
  await new TablePrinter(session.stdout, COUNTS, { colour: false, head: false }).print(lines)
}

const printRefused = async (session: Session, { refused, firstRefused }: DeletionTally): Promise<void> => {
  await new TablePrinter(session.stdout, REFUSED, { colour: session.colour }).print(firstRefused)
  const unshown = refused - firstRefused.length
  if (unshown > 0) await session.say(`and ${unshown} more; --report FILE or --json has all.`)
  await session.say('')
}

const ALWAYS: ReadonlySet<DeletionOutcome> = new Set(['deleted', 'would_delete', 'not_found', 'refused'])

const COUNTS: readonly Column<[string, number | string]>[] = [
  { head: '', cell: ([label]) => label },
  { head: '', cell: ([, count]) => count },
]
