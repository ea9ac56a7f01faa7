import { styleText } from 'node:util'
import type { TableConstructorOptions } from 'cli-table3'
import type { Output } from './output.ts'
import { visible } from './visible-text.ts'

export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => string | number
}

export interface TableStyle {
  readonly colour: boolean
  /** Whether there is a line of heads; there is one by default. */
  readonly head?: boolean
}

const GAP = '  '
const NO_LINES = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: GAP },
}

/**
 * Prints a table page by page, so that its length costs no memory. On a terminal it fits the width: longer cells go on
 * in a next line. Elsewhere a row is a line and nothing is cut.
 */
export class TablePrinter<Row> {
  readonly #output: Output
  readonly #columns: readonly Column<Row>[]
  readonly #style: TableStyle
  #widths: number[] | undefined

  constructor(output: Output, columns: readonly Column<Row>[], style: TableStyle) {
    this.#output = output
    this.#columns = columns
    this.#style = style
  }

  /** Prints the rows; before the first ones the heads. The columns of the first page stay as wide as they were. */
  async print(rows: readonly Row[]): Promise<void> {
    // Loaded with the first table, not with every command: start-up time is felt.
    const [{ default: Table }, { cellWidth, fitted, wrapped }] = await Promise.all([
      import('cli-table3'),
      import('./cell-width.ts'),
    ])
    const first = this.#widths === undefined
    const heads = this.#style.head === false ? [] : [this.#columns.map(({ head }) => head)]
    const cells = rows.map((row) => this.#columns.map(({ cell }) => visible(String(cell(row)))))
    const natural = this.#columns.map((_, at) =>
      Math.max(this.#widths?.[at] ?? 0, ...[...heads, ...cells].map((line) => cellWidth(line[at] ?? ''))),
    )
    const room = this.#output.width
    this.#widths = room === undefined ? natural : (this.#widths ?? fitted(natural, room, GAP.length))
    const widths = this.#widths
    const table = new Table({ ...LOOK, colWidths: widths })
    const styled = (head: string) => (this.#style.colour ? styleText('bold', head, { validateStream: false }) : head)
    const lines = [...(first ? heads.map((line) => line.map(styled)) : []), ...cells]
    table.push(...lines.map((line) => line.map((text, at) => wrapped(text, widths[at] ?? 0))))
    await this.#output.write(`${table.toString().replace(/ +$/gm, '')}\n`)
  }
}

const LOOK: TableConstructorOptions = {
  chars: NO_LINES,
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
}
