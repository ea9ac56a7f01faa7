import { refusedError } from '../cli-error.ts'
import type { Session } from '../session.ts'
import { type Column, printFields, TablePrinter } from '../table-printer.ts'
import { durationText } from '../texts.ts'
import { type BulkRow, bulkRowRepresentation } from './bulk-row.ts'
import { undoableUntil } from './grace.ts'
import { COMMON, type Kind } from './kinds.ts'

const SHOWN = 20

/** The outcomes that a run may have, in the order of its report. */
const outcomesOf = ({ done, would, already }: Kind, dryRun: boolean): Readonly<Record<string, string>> =>
  Object.fromEntries([dryRun ? would : done, already, ...Object.entries(COMMON)])

/** How a run came out, counted. Remembers only the first few rows that were refused. */
export class BulkTally {
  readonly kind: Kind
  readonly counts: Record<string, number> = {}
  readonly began = performance.now()
  readonly firstRefused: BulkRow[] = []
  subscriptionsErased = 0
  subscriptionsKept = 0
  /** When the first of those that were deleted is erased, if that can be undone. */
  erasesAt: string | undefined

  constructor(kind: Kind) {
    this.kind = kind
  }

  add(row: BulkRow): void {
    this.counts[row.outcome] = this.countOf(row.outcome) + 1
    this.subscriptionsErased += row.subscriptions?.erased ?? 0
    this.subscriptionsKept += row.subscriptions?.kept ?? 0
    this.erasesAt ??= row.erasesAt
    if (isRefusal(row) && this.firstRefused.length < SHOWN) this.firstRefused.push(row)
  }

  countOf(outcome: string): number {
    return this.counts[outcome] ?? 0
  }

  /**
   * A list that turns out to be empty is more often the end of something that failed than meant.
   * @throws {CliError} it names no user, and may not be empty
   */
  requireRows({ allowEmpty }: { readonly allowEmpty: boolean }): void {
    const isEmpty = Object.entries(this.counts).every(([outcome, count]) => outcome === 'blank' || count === 0)
    if (isEmpty && !allowEmpty)
      throw refusedError('EmptyList', 'The list names no user. If it may be empty, add --allow-empty.')
  }

  /** Rows that stand for a user who is as it was, or never was. */
  get refused(): number {
    return this.countOf('refused') + this.countOf('not_found')
  }
}

const isRefusal = ({ outcome }: BulkRow): boolean => outcome === 'refused' || outcome === 'not_found'

const refusedColumns = ({ past }: Kind): readonly Column<BulkRow>[] => [
  { head: 'ID', cell: ({ id }) => id },
  { head: `WHY IT WAS NOT ${past.toUpperCase()}`, cell: ({ error }) => error?.message ?? '' },
]

interface ReportOptions {
  readonly dryRun: boolean
  readonly interrupted: boolean
  /** The refused rows have not been shown yet. */
  readonly showRefused: boolean
}

export const printReport = async (
  session: Session,
  tally: BulkTally,
  { dryRun, interrupted, showRefused }: ReportOptions,
): Promise<void> => {
  const { kind, subscriptionsErased, subscriptionsKept } = tally
  const outcomes = outcomesOf(kind, dryRun)
  const counts = Object.fromEntries(Object.keys(outcomes).map((outcome) => [outcome, tally.countOf(outcome)]))
  const seconds = (performance.now() - tally.began) / 1_000
  const rows = Object.values(tally.counts).reduce((sum, count) => sum + count, 0)
  if (session.json) {
    const ofAddresses = { subscriptions_erased: subscriptionsErased, subscriptions_kept: subscriptionsKept }
    const subscriptions = kind.subscriptions && ofAddresses
    const pace = { seconds: Math.round(seconds * 1_000) / 1_000, rows_per_second: Math.round(rows / seconds) }
    return await session.printJson({ report: { ...counts, ...subscriptions, ...pace, interrupted } })
  }
  if (showRefused && tally.firstRefused.length > 0) await printRefused(session, tally)
  const always: readonly string[] = [kind.done[0], kind.would[0], 'not_found', 'refused']
  const lines: [string, number | string][] = Object.entries(counts)
    .filter(([outcome, count]) => count > 0 || always.includes(outcome))
    .map(([outcome, count]) => [capitalised(outcomes[outcome] ?? outcome), count])
  if (kind.subscriptions) {
    lines.push([dryRun ? 'Subscriptions that would go' : 'Subscriptions erased', subscriptionsErased])
    lines.push([dryRun ? 'Subscriptions that stay' : 'Subscriptions kept', subscriptionsKept])
  }
  lines.push(['Time', durationText(seconds)], ['Rows a second', Math.round(rows / seconds)])
  await printFields(session, lines)
  if (kind.subscriptions && tally.countOf(kind.done[0]) > 0) await session.say(undoableUntil(tally.erasesAt))
}

const printRefused = async (session: Session, { kind, refused, firstRefused }: BulkTally): Promise<void> => {
  await new TablePrinter(session.stdout, refusedColumns(kind), { colour: session.colour }).print(firstRefused)
  const unshown = refused - firstRefused.length
  if (unshown > 0) await session.say(`and ${unshown} more; --report FILE or --json has all.`)
  await session.say('')
}

const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** How many rows of each end of a longer table are shown. */
const AT_EACH_END = 10

const foreseenColumns = (kind: Kind): readonly Column<BulkRow>[] => [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'WHAT WOULD BECOME OF IT', cell: (row) => outcomeOf(kind, row) },
  { head: 'NAME', cell: ({ user }) => user?.name ?? '' },
  { head: 'E-MAIL', cell: ({ user }) => user?.email ?? '' },
  ...(kind.subscriptions ? [{ head: 'SUBSCRIPTIONS', cell: (row: BulkRow) => subscriptionsOf(row) }] : []),
]

/** Shows, beside the answer, who would be changed. */
export const printForeseen = async (session: Session, kind: Kind, rows: readonly BulkRow[]): Promise<void> => {
  const { stderr } = session
  await new TablePrinter(stderr, foreseenColumns(kind), { colour: false }).print(rows)
}

/** Prints what a dry run finds: each row at once for machines; for people a table of the first and the last ones. */
export class DryRunPrinter {
  readonly #session: Session
  readonly #kind: Kind
  readonly #first: BulkRow[] = []
  #last: BulkRow[] = []
  /** Rows that were too many for the table. */
  unshown = 0

  constructor(session: Session, kind: Kind) {
    this.#session = session
    this.#kind = kind
  }

  async add(row: BulkRow): Promise<void> {
    if (this.#session.json) return await this.#session.printJson(bulkRowRepresentation(row))
    if (this.#first.length < AT_EACH_END) return void this.#first.push(row)
    this.#last.push(row)
    if (this.#last.length <= AT_EACH_END) return
    this.#last = this.#last.slice(1)
    this.unshown++
  }

  async end(): Promise<void> {
    const { stdout, colour } = this.#session
    const table = new TablePrinter(stdout, foreseenColumns(this.#kind), { colour })
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

const outcomeOf = (kind: Kind, { outcome, error }: BulkRow): string =>
  outcome === 'refused' && error !== undefined
    ? `${COMMON.refused}: ${error.message}`
    : (outcomesOf(kind, true)[outcome] ?? outcome)

const subscriptionsOf = ({ subscriptions }: BulkRow): string => {
  if (subscriptions === undefined) return ''
  return subscriptions.erased > 0 ? `${subscriptions.erased} erased` : `${subscriptions.kept} kept`
}
