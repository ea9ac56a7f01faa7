import type { Session } from '../session.ts'
import { type Column, TablePrinter } from '../table-printer.ts'
import { type DeletionOutcome, type DeletionRow, reasonOf } from './deletion-row.ts'
import type { DeletionTally } from './deletion-tally.ts'

const LABELS: Readonly<Record<DeletionOutcome, string>> = {
  deleted: 'Deleted',
  would_delete: 'Would be deleted',
  already_deleted: 'Already deleted',
  not_found: 'Not found',
  refused: 'Refused',
  repeated: 'Repeated rows',
  blank: 'Blank rows',
}

const REFUSED: readonly Column<DeletionRow>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'WHY IT WAS NOT DELETED', cell: ({ error }) => (error ? reasonOf(error) : '') },
]

/** Tells how a run over many users came out. */
export const printReport = async (
  session: Session,
  tally: DeletionTally,
  { dryRun, interrupted }: { readonly dryRun: boolean; readonly interrupted: boolean },
): Promise<void> => {
  const { deleted, would_delete, ...others } = tally.counts
  const counts = { ...(dryRun ? { would_delete } : { deleted }), ...others }
  const subscriptions = { subscriptions_erased: tally.subscriptionsErased, subscriptions_kept: tally.subscriptionsKept }
  if (session.json) return await session.printJson({ report: { ...counts, ...subscriptions, interrupted } })

  if (!dryRun && tally.firstRefused.length > 0) {
    await new TablePrinter(session.stdout, REFUSED, { colour: session.colour }).print(tally.firstRefused)
    const unshown = tally.refused - tally.firstRefused.length
    if (unshown > 0) await session.say(`and ${unshown} more; --json lists all.`)
    await session.say('')
  }
  if (dryRun) await session.say('')
  const lines: [string, number][] = (Object.entries(counts) as [DeletionOutcome, number][])
    .filter(([outcome, count]) => count > 0 || ALWAYS.has(outcome))
    .map(([outcome, count]) => [LABELS[outcome], count])
  lines.push([dryRun ? 'Subscriptions that would go' : 'Subscriptions erased', tally.subscriptionsErased])
  lines.push([dryRun ? 'Subscriptions that stay' : 'Subscriptions kept', tally.subscriptionsKept])
  await new TablePrinter(session.stdout, COUNTS, { colour: false, head: false }).print(lines)
}

const ALWAYS: ReadonlySet<DeletionOutcome> = new Set(['deleted', 'would_delete', 'not_found', 'refused'])

const COUNTS: readonly Column<[string, number]>[] = [
  { head: '', cell: ([label]) => label },
  { head: '', cell: ([, count]) => count },
]
