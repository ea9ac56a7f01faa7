import type { Session } from '../session.ts'
import { type Column, TablePrinter } from '../table-printer.ts'
import { durationText } from '../texts.ts'
import { type DeletionOutcome, type DeletionRow, deletionRowRepresentation, OUTCOMES } from './deletion-row.ts'

const SHOWN = 20

type Counts = Record<DeletionOutcome, number>

/** How a run came out, counted. Remembers only the first few rows that were refused. */
export class DeletionTally {
  readonly counts = Object.fromEntries(Object.keys(OUTCOMES).map((outcome) => [outcome, 0])) as Counts
  readonly began = performance.now()
  readonly firstRefused: DeletionRow[] = []
  subscriptionsErased = 0
  subscriptionsKept = 0

  add(row: DeletionRow): void {
    this.counts[row.outcome]++
    this.subscriptionsErased += row.subscriptions?.erased ?? 0
    this.subscriptionsKept += row.subscriptions?.kept ?? 0
    if (isRefusal(row) && this.firstRefused.length < SHOWN) this.firstRefused.push(row)
  }

  /** Rows that stand for a user who is still there, or never was. */
  get refused(): number {
    return this.counts.refused + this.counts.not_found
  }
}

const isRefusal = ({ outcome }: DeletionRow): boolean => OUTCOMES[outcome].fate === 'refused'

const REFUSED: readonly Column<DeletionRow>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'WHY IT WAS NOT DELETED', cell: ({ error }) => error?.message ?? '' },
]

interface ReportOptions {
  readonly dryRun: boolean
  readonly interrupted: boolean
  /** The refused rows have not been shown yet. */
  readonly showRefused: boolean
}

/** Shows how a run over many users came out. */
export const printReport = async (
  session: Session,
  tally: DeletionTally,
  { dryRun, interrupted, showRefused }: ReportOptions,
): Promise<void> => {
  const { deleted, would_delete, ...others } = tally.counts
  const counts = { ...(dryRun ? { would_delete } : { deleted }), ...others }
  const { subscriptionsErased, subscriptionsKept } = tally
  const seconds = (performance.now() - tally.began) / 1_000
  const rows = Object.values(tally.counts).reduce((sum, count) => sum + count, 0)
  if (session.json) {
    const subscriptions = { subscriptions_erased: subscriptionsErased, subscriptions_kept: subscriptionsKept }
    const pace = { seconds: Math.round(seconds * 1_000) / 1_000, rows_per_second: Math.round(rows / seconds) }
    return await session.printJson({ report: { ...counts, ...subscriptions, ...pace, interrupted } })
  }
  if (showRefused && tally.firstRefused.length > 0) await printRefused(session, tally)
  const lines: [string, number | string][] = (Object.entries(counts) as [DeletionOutcome, number][])
    .filter(([outcome, count]) => count > 0 || ALWAYS.has(outcome))
    .map(([outcome, count]) => [OUTCOMES[outcome].label, count])
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

const PAGE = 200
/** A longer table is not readable, and its layout takes far longer than to find out what is in it. */
const MOST = 2_000

const FORESEEN: readonly Column<DeletionRow>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'WHAT WOULD BECOME OF IT', cell: (row) => fateOf(row) },
  { head: 'NAME', cell: ({ user }) => user?.name ?? '' },
  { head: 'E-MAIL', cell: ({ user }) => user?.email ?? '' },
  { head: 'SUBSCRIPTIONS', cell: (row) => subscriptionsOf(row) },
]

/** Prints what a dry run finds, row by row: one JSON document each for machines; for people a table of the first rows. */
export class DryRunPrinter {
  readonly #session: Session
  readonly #table: TablePrinter<DeletionRow>
  #page: DeletionRow[] = []
  #shown = 0
  /** Rows that were too many for the table. */
  unshown = 0

  constructor(session: Session) {
    this.#session = session
    this.#table = new TablePrinter(session.stdout, FORESEEN, { colour: session.colour })
  }

  async print(row: DeletionRow): Promise<void> {
    if (this.#session.json) return await this.#session.printJson(deletionRowRepresentation(row))
    if (this.#shown === MOST) {
      this.unshown++
      return
    }
    this.#shown++
    this.#page.push(row)
    if (this.#page.length === PAGE) await this.#printPage()
  }

  /** Prints what is left. */
  async end(): Promise<void> {
    await this.#printPage()
    if (this.unshown > 0) await this.#session.say(`and ${this.unshown} more; --report FILE or --json has all.`)
  }

  async #printPage(): Promise<void> {
    const page = this.#page
    this.#page = []
    if (page.length > 0) await this.#table.print(page)
  }
}

const fateOf = ({ outcome, error }: DeletionRow): string => {
  const { fate } = OUTCOMES[outcome]
  return fate === 'refused' ? `refused: ${error?.message ?? outcome}` : fate
}

const subscriptionsOf = ({ subscriptions }: DeletionRow): string => {
  if (subscriptions === undefined) return ''
  return subscriptions.erased > 0 ? `${subscriptions.erased} erased` : `${subscriptions.kept} kept`
}
