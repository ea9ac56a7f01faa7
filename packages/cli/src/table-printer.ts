import { styleText } from 'node:util'
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
    const { cellWidth, columnsOf, fitted } = await import('./cell-width.ts')
    const first = this.#widths === undefined
    const heads = this.#style.head === false ? [] : [this.#columns.map(({ head }) => head)]
    const cells = rows.map((row) => this.#columns.map(({ cell }) => visible(String(cell(row)))))
    const natural = this.#columns.map((_, at) =>
      Math.max(this.#widths?.[at] ?? 0, ...[...heads, ...cells].map((line) => cellWidth(line[at] ?? ''))),
    )
    const room = this.#output.width
    this.#widths = room === undefined ? natural : (this.#widths ?? fitted(natural, room, GAP.length))
    const widths = this.#widths
    const bold = (head: string) => (this.#style.colour ? styleText('bold', head, { validateStream: false }) : head)
    const lines = [
      ...(first ? heads.flatMap((line) => columnsOf(line, widths, GAP, bold)) : []),
      ...cells.flatMap((line) => columnsOf(line, widths, GAP)),
    ]
    await this.#output.write(`${lines.join('\n')}\n`)
  }
}
