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

const isRefusal = ({ outcome }: DeletionRow): boolean => outcome === 'refused' || outcome === 'not_found'

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
    .map(([outcome, count]) => [capitalised(OUTCOMES[outcome]), count])
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

const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

const ALWAYS: ReadonlySet<DeletionOutcome> = new Set(['deleted', 'would_delete', 'not_found', 'refused'])

const COUNTS: readonly Column<[string, number | string]>[] = [
  { head: '', cell: ([label]) => label },
  { head: '', cell: ([, count]) => count },
]

/** How many rows of each end of a longer table are shown. */
const AT_EACH_END = 10

const FORESEEN: readonly Column<DeletionRow>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'WHAT WOULD BECOME OF IT', cell: (row) => outcomeOf(row) },
  { head: 'NAME', cell: ({ user }) => user?.name ?? '' },
  { head: 'E-MAIL', cell: ({ user }) => user?.email ?? '' },
  { head: 'SUBSCRIPTIONS', cell: (row) => subscriptionsOf(row) },
]

/** Prints what a dry run finds: each row at once for machines; for people a table of the first and the last ones. */
export class DryRunPrinter {
  readonly #session: Session
  readonly #first: DeletionRow[] = []
  #last: DeletionRow[] = []
  /** Rows that were too many for the table. */
  unshown = 0

  constructor(session: Session) {
    this.#session = session
  }

  async add(row: DeletionRow): Promise<void> {
    if (this.#session.json) return await this.#session.printJson(deletionRowRepresentation(row))
    if (this.#first.length < AT_EACH_END) return void this.#first.push(row)
    this.#last.push(row)
    if (this.#last.length <= AT_EACH_END) return
    this.#last = this.#last.slice(1)
    this.unshown++
  }

  /** Prints the table. */
  async end(): Promise<void> {
    const { stdout, colour } = this.#session
    const table = new TablePrinter(stdout, FORESEEN, { colour })
    if (this.unshown === 0) {
      const all = [...this.#first, ...this.#last]
      return all.length > 0 ? await table.print(all) : undefined
    }
    await table.print(this.#first)
    await this.#session.say(`... ${this.unshown} more; --report FILE or --json has all.`)
    await table.print(this.#last)
    await this.#session.say('')
  }
}

const outcomeOf = ({ outcome, error }: DeletionRow): string =>
  outcome === 'refused' && error !== undefined ? `${OUTCOMES.refused}: ${error.message}` : OUTCOMES[outcome]

const subscriptionsOf = ({ subscriptions }: DeletionRow): string => {
  if (subscriptions === undefined) return ''
  return subscriptions.erased > 0 ? `${subscriptions.erased} erased` : `${subscriptions.kept} kept`
}
