import type { Session } from '../session.ts'
import { type Column, TablePrinter } from '../table-printer.ts'
import { type DeletionRow, deletionRowRepresentation } from './deletion-row.ts'

const PAGE = 200
/** A longer table is not readable, and its layout takes far longer than to find out what is in it. */
const MOST = 2_000

const COLUMNS: readonly Column<DeletionRow>[] = [
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
  #unshown = 0

  constructor(session: Session) {
    this.#session = session
    this.#table = new TablePrinter(session.stdout, COLUMNS, { colour: session.colour })
  }

  async print(row: DeletionRow): Promise<void> {
    if (this.#session.json) return await this.#session.printJson(deletionRowRepresentation(row))
    if (this.#shown === MOST) {
      this.#unshown++
      return
    }
    this.#shown++
    this.#page.push(row)
    if (this.#page.length === PAGE) await this.#printPage()
  }

  /** Rows that were too many for the table. */
  get unshown(): number {
    return this.#unshown
  }

  /** Prints what is left. */
  async end(): Promise<void> {
    await this.#printPage()
    if (this.#unshown > 0) await this.#session.say(`and ${this.#unshown} more; --report FILE or --json has all.`)
  }

  async #printPage(): Promise<void> {
    const page = this.#page
    this.#page = []
    if (page.length > 0) await this.#table.print(page)
  }
}

const fateOf = ({ outcome, error }: DeletionRow): string => {
  switch (outcome) {
    case 'already_deleted':
      return 'deleted already'
    case 'blank':
      return 'a blank row'
    case 'repeated':
      return 'repeated'
    case 'deleted':
    case 'would_delete':
      return 'deleted'
    case 'left_out':
      return 'left out by the plan'
    case 'not_found':
    case 'refused':
      return `refused: ${error?.message ?? outcome}`
  }
}

const subscriptionsOf = ({ subscriptions }: DeletionRow): string => {
  if (subscriptions === undefined) return ''
  return subscriptions.erased > 0 ? `${subscriptions.erased} erased` : `${subscriptions.kept} kept`
}
