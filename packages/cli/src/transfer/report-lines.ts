import { isRefusedRow, type RefusedRow } from '@rollcall/core'
import type { Session } from '../session.ts'
import { type Column, type Field, printFields, TablePrinter } from '../table-printer.ts'
import type { WholeFile } from '../whole-file.ts'

/** How many rows that were not imported a person is shown. */
const SHOWN = 20

type ReportedRow = Pick<RefusedRow, 'line' | 'message'>

const ROWS: readonly Column<ReportedRow>[] = [
  { head: 'LINE', cell: ({ line }) => line },
  { head: 'WHY IT WAS NOT IMPORTED', cell: ({ message }) => message },
]

/** The report of an import: every line to machines and to a file, the first few and the counts to people. */
export class ReportLines {
  readonly #session: Session
  readonly #file: WholeFile | undefined
  readonly #first: ReportedRow[] = []
  #rows = 0

  constructor(session: Session, file: WholeFile | undefined) {
    this.#session = session
    this.#file = file
  }

  get isEmpty(): boolean {
    return this.#rows === 0
  }

  /** A row that was not imported. A machine reads the entry, which may say more. */
  async addRow(row: ReportedRow, entry: object = row): Promise<void> {
    await this.#write(entry)
    this.#rows++
    if (this.#first.length < SHOWN) this.#first.push(row)
  }

  async addSummary(summary: object): Promise<void> {
    await this.#write(summary)
  }

  /** A whole report, with its summary; undefined if it has none. */
  async addAll<Summary extends object>(
    lines: AsyncIterable<RefusedRow<string> | Summary>,
  ): Promise<Summary | undefined> {
    let summary: Summary | undefined
    for await (const line of lines)
      if (isRefusedRow(line)) await this.addRow(line)
      else {
        summary = line as Summary
        await this.addSummary(summary)
      }
    return summary
  }

  async #write(line: object): Promise<void> {
    await this.#file?.write(`${JSON.stringify(line)}\n`)
    if (this.#session.json) await this.#session.printJson(line)
  }

  /** For a person, when the import is over. */
  async print(counts: readonly Field[], notes: readonly string[]): Promise<void> {
    const session = this.#session
    if (session.json) return
    if (this.#rows > 0) {
      await new TablePrinter(session.stdout, ROWS, session).print(this.#first)
      const more = this.#rows - this.#first.length
      if (more > 0) await session.say(`and ${more} more; --json and --report list all.`)
      await session.say('')
    }
    await printFields(session, counts)
    for (const note of notes) await session.say(note)
  }
}
