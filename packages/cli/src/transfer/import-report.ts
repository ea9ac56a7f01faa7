import { type ImportReportLine, type ImportSummary, isRefusedRow, type RefusedRow } from '@rollcall/core/all'
import type { Session } from '../session.ts'
import { type Column, TablePrinter } from '../table-printer.ts'
import type { WholeFile } from './whole-file.ts'

const SHOWN = 20

const REFUSED: readonly Column<RefusedRow>[] = [
  { head: 'LINE', cell: ({ line }) => line },
  { head: 'WHY IT WAS NOT IMPORTED', cell: ({ message }) => message },
]

const COUNTS: readonly Column<readonly [string, number]>[] = [
  { head: '', cell: ([label]) => label },
  { head: '', cell: ([, count]) => count },
]

/** Shows how an import comes out: every line to machines and to a file, the first few and the counts to people. */
export class ImportReport {
  readonly #session: Session
  readonly #file: WholeFile | undefined
  readonly #firstRefused: RefusedRow[] = []
  #summary: ImportSummary | undefined

  constructor(session: Session, file: WholeFile | undefined) {
    this.#session = session
    this.#file = file
  }

  /** Undefined until the import is over. */
  get summary(): ImportSummary | undefined {
    return this.#summary
  }

  async add(line: ImportReportLine): Promise<void> {
    await this.#file?.write(`${JSON.stringify(line)}\n`)
    if (this.#session.json) await this.#session.printJson(line)
    if (!isRefusedRow(line)) this.#summary = line
    else if (this.#firstRefused.length < SHOWN) this.#firstRefused.push(line)
  }

  /** For a person. */
  async print({ dryRun }: { readonly dryRun: boolean }): Promise<void> {
    const summary = this.#summary
    if (this.#session.json || summary === undefined) return
    const { stdout, colour } = this.#session
    if (this.#firstRefused.length > 0) {
      await new TablePrinter(stdout, REFUSED, { colour }).print(this.#firstRefused)
      const unshown = summary.refused - this.#firstRefused.length
      if (unshown > 0) await this.#session.say(`and ${unshown} more; --json and --report list all.`)
      await this.#session.say('')
    }
    const { imported, confirmed, pending, ended, unchanged, refused } = summary
    const lines: readonly (readonly [string, number])[] = [
      [dryRun ? 'Would be imported' : 'Imported', imported],
      ['  as confirmed', confirmed],
      ['  as pending', pending],
      ['  as ended', ended],
      ['There already', unchanged],
      [dryRun ? 'Would be refused' : 'Refused', refused],
    ]
    await new TablePrinter(stdout, COUNTS, { colour: false, head: false }).print(lines)
  }
}
