import type { ImportSummary, RefusedRow } from '@rollcall/client'
import type { UnreadField, UnusedColumns } from '@rollcall/core'
import type { UnsentRow } from './foreign/foreign-rows.ts'
import type { ReportLines } from './report-lines.ts'

/** The end of a report: `left_out` only of another service's file. */
export type SubscriptionImportSummary = ImportSummary & { readonly left_out?: number }

/** One report of the subscriptions in several files, with the rows that were not sent on. */
export class ImportReport {
  readonly #lines: ReportLines
  #name: string | undefined
  #sum: ImportSummary | undefined
  /** Rows of other services' files that were not sent on. */
  readonly #unsent = { LeftOut: 0, MalformedRow: 0 }
  readonly #unused: UnusedColumns[] = []

  constructor(lines: ReportLines) {
    this.#lines = lines
  }

  /** Of the files that came to their end. */
  get rows(): number {
    return this.#sum?.rows ?? 0
  }

  get isInterrupted(): boolean {
    return this.#sum?.interrupted ?? false
  }

  /** What comes next is about this file. */
  begin(name: string | undefined): void {
    this.#name = name
  }

  async add(line: RefusedRow | ImportSummary): Promise<void> {
    if ('line' in line) return await this.#addRow(line)
    this.#sum = this.#sum === undefined ? line : sumOf(this.#sum, line)
  }

  async addUnsent(row: UnsentRow): Promise<void> {
    this.#unsent[row.error]++
    await this.#addRow(row)
  }

  /** Columns of other services' files that are not sent on; they are known when the files came to their end. */
  addIgnored(columns: UnusedColumns): void {
    this.#unused.push(columns)
  }

  /** The files that were to come do not come. */
  interrupt(): void {
    if (this.#sum !== undefined) this.#sum = { ...this.#sum, interrupted: true }
  }

  /** All files came to their end. Undefined if there was none. */
  async end(): Promise<SubscriptionImportSummary | undefined> {
    if (this.#sum === undefined) return undefined
    const { LeftOut, MalformedRow } = this.#unsent
    const { rows, refused } = this.#sum
    const counts = { rows: rows + LeftOut + MalformedRow, refused: refused + MalformedRow }
    const ignored = unique([...(this.#sum.ignored ?? []), ...this.#unused.flatMap(({ names }) => names)])
    const columns = ignored.length > 0 ? { ignored } : {}
    const summary = { ...this.#sum, ...counts, ...columns, ...(LeftOut > 0 ? { left_out: LeftOut } : {}) }
    await this.#lines.addSummary(summary)
    return summary
  }

  async #addRow(row: UnsentRow | RefusedRow): Promise<void> {
    await this.#lines.addRow(row, this.#name === undefined ? row : { file: this.#name, ...row })
  }
}

const unique = <Item>(items: readonly Item[]): readonly Item[] => [...new Set(items)]

const unreadOf = (a: readonly UnreadField[], b: readonly UnreadField[]): readonly UnreadField[] => {
  const countIn = (fields: readonly UnreadField[], name: string) =>
    fields.find(({ field }) => field === name)?.count ?? 0
  const added = b.filter(({ field }) => countIn(a, field) === 0)
  return [...a.map((one) => ({ ...one, count: one.count + countIn(b, one.field) })), ...added]
}

const sumOf = (a: ImportSummary, b: ImportSummary): ImportSummary => ({
  ...a,
  ...(a.unread !== undefined || b.unread !== undefined ? { unread: unreadOf(a.unread ?? [], b.unread ?? []) } : {}),
  ...(a.updated !== undefined && { updated: a.updated + (b.updated ?? 0) }),
  rows: a.rows + b.rows,
  imported: a.imported + b.imported,
  unchanged: a.unchanged + b.unchanged,
  refused: a.refused + b.refused,
  confirmed: a.confirmed + b.confirmed,
  pending: a.pending + b.pending,
  ended: a.ended + b.ended,
  interrupted: a.interrupted || b.interrupted,
})
