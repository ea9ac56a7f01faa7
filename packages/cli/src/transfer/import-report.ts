import { type ImportReportLine, type ImportSummary, isRefusedRow, type RefusedRow } from '@rollcall/core/all'
import type { Session } from '../session.ts'
import { type Column, TablePrinter } from '../table-printer.ts'
import type { UnsentRow } from './foreign/foreign-rows.ts'
import type { WholeFile } from './whole-file.ts'

/** How many refused rows a person is shown. */
export const SHOWN = 20

type ReportedRow = Pick<RefusedRow, 'line' | 'message'>

const REFUSED: readonly Column<ReportedRow>[] = [
  { head: 'LINE', cell: ({ line }) => line },
  { head: 'WHY IT WAS NOT IMPORTED', cell: ({ message }) => message },
]

const COUNTS: readonly Column<readonly [string, number]>[] = [
  { head: '', cell: ([label]) => label },
  { head: '', cell: ([, count]) => count },
]

/** The end of a report: `left_out` only of another service's file. */
type Summary = ImportSummary & { readonly left_out?: number }

/** Shows how an import comes out: every line to machines and to a file, the first few and the counts to people. */
export class ImportReport {
  readonly #session: Session
  readonly #file: WholeFile | undefined
  readonly #first: ReportedRow[] = []
  #name: string | undefined
  #sum: ImportSummary | undefined
  /** Rows of other services' files that were not sent on. */
  readonly #unsent = { LeftOut: 0, MalformedRow: 0 }
  #summary: Summary | undefined

  constructor(session: Session, file: WholeFile | undefined) {
    this.#session = session
    this.#file = file
  }

  /** Undefined until the import is over. */
  get summary(): Summary | undefined {
    return this.#summary
  }

  /** Of the files that came to their end. */
  get rows(): number {
    return this.#sum?.rows ?? 0
  }

  /** What comes next is about this file. */
  begin(name: string | undefined): void {
    this.#name = name
  }

  async add(line: ImportReportLine): Promise<void> {
    if (isRefusedRow(line)) return await this.#row(line)
    const before = this.#sum
    this.#sum = before === undefined ? line : sumOf(before, line)
  }

  async addUnsent(row: UnsentRow): Promise<void> {
    this.#unsent[row.error]++
    await this.#row(row)
  }

  /** All files came to their end. */
  async end(): Promise<void> {
    const { LeftOut, MalformedRow } = this.#unsent
    if (this.#sum === undefined) return
    const { rows, refused } = this.#sum
    const counts = { rows: rows + LeftOut + MalformedRow, refused: refused + MalformedRow }
    this.#summary = { ...this.#sum, ...counts, ...(LeftOut > 0 ? { left_out: LeftOut } : {}) }
    await this.#write(this.#summary)
  }

  async #row(row: UnsentRow | RefusedRow): Promise<void> {
    const entry = this.#name === undefined ? row : { file: this.#name, ...row }
    await this.#write(entry)
    if (this.#first.length < SHOWN) this.#first.push(row)
  }

  async #write(line: object): Promise<void> {
    await this.#file?.write(`${JSON.stringify(line)}\n`)
    if (this.#session.json) await this.#session.printJson(line)
  }

  /** For a person. */
  async print({ dryRun }: { readonly dryRun: boolean }): Promise<void> {
    const summary = this.#summary
    if (this.#session.json || summary === undefined) return
    const { imported, confirmed, pending, ended, unchanged, refused, left_out: leftOut } = summary
    await printRefused(this.#session, this.#first, refused + (leftOut ?? 0))
    const lines: readonly (readonly [string, number])[] = [
      [dryRun ? 'Would be imported' : 'Imported', imported],
      ['  as confirmed', confirmed],
      ['  as pending', pending],
      ['  as ended', ended],
      ['There already', unchanged],
      [dryRun ? 'Would be refused' : 'Refused', refused],
      ...(leftOut === undefined ? [] : [['Left out', leftOut] as const]),
    ]
    await printCounts(this.#session, lines)
  }
}

/** The first of the rows that were refused, and how many more there are. */
export const printRefused = async (session: Session, first: readonly ReportedRow[], all: number): Promise<void> => {
  if (first.length === 0) return
  await new TablePrinter(session.stdout, REFUSED, session).print(first)
  if (all > first.length) await session.say(`and ${all - first.length} more; --json and --report list all.`)
  await session.say('')
}

export const printCounts = async (session: Session, lines: readonly (readonly [string, number])[]): Promise<void> =>
  await new TablePrinter(session.stdout, COUNTS, { colour: false, head: false }).print(lines)

const sumOf = (a: ImportSummary, b: ImportSummary): ImportSummary => ({
  rows: a.rows + b.rows,
  imported: a.imported + b.imported,
  unchanged: a.unchanged + b.unchanged,
  refused: a.refused + b.refused,
  confirmed: a.confirmed + b.confirmed,
  pending: a.pending + b.pending,
  ended: a.ended + b.ended,
  interrupted: a.interrupted || b.interrupted,
})
