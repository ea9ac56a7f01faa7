import { styleText } from 'node:util'
import stringWidth from 'fast-string-width'
import type { Output } from './output.ts'
import type { Session } from './session.ts'
import { visible } from './texts.ts'

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

/** Prints one record: JSON for machines, a line per field for people. */
export const printRecord = async (
  session: Session,
  representation: unknown,
  fields: readonly (readonly [label: string, value: string | number])[],
): Promise<void> => {
  if (session.json) return await session.printJson(representation)
  const columns = [
    { head: '', cell: ([label]: readonly [string, string | number]) => label },
    { head: '', cell: ([, value]: readonly [string, string | number]) => value },
  ]
  await new TablePrinter(session.stdout, columns, { colour: false, head: false }).print(fields)
}

const NARROWEST = 6
// Made for the first cell that is too long, not with every command: start-up time is felt.
let words: Intl.Segmenter | undefined
let characters: Intl.Segmenter | undefined

/** Columns of a terminal that the text takes. A letter written in parts takes what the whole letter takes. */
export const cellWidth = (text: string): number => stringWidth(text.normalize())

/** The widths, the widest ones cut until all of them and the gaps between them fit into the room. */
const fitted = (widths: readonly number[], room: number, gap: number): number[] => {
  const fit = [...widths]
  let surplus = fit.reduce((sum, width) => sum + width, gap * (fit.length - 1)) - room
  for (; surplus > 0; surplus--) {
    const widest = fit.indexOf(Math.max(...fit))
    const width = fit[widest] ?? 0
    if (width <= NARROWEST) break
    fit[widest] = width - 1
  }
  return fit
}

/** Cells side by side, in as many lines as the longest of them needs. Each line of a cell may be given a style. */
const columnsOf = (
  cells: readonly string[],
  widths: readonly number[],
  gap: string,
  styled = (text: string): string => text,
): string[] => {
  const columns = widths.map((width, at) => ({ width, lines: wrapped(cells[at] ?? '', width) }))
  const height = Math.max(...columns.map(({ lines }) => lines.length))
  return Array.from({ length: height }, (_, row) => {
    const parts = columns.map(({ width, lines }) => {
      const text = lines[row] ?? ''
      return (text && styled(text)) + ' '.repeat(Math.max(width - cellWidth(text), 0))
    })
    return parts.join(gap).replace(/ +$/, '')
  })
}

/** The text in lines of at most `width` columns, broken between words where they fit, never inside a character. */
const wrapped = (text: string, width: number): string[] => {
  if (cellWidth(text) <= width) return [text]
  const lines = ['']
  for (const part of partsOf(text, width)) {
    const line = lines.at(-1) ?? ''
    if (cellWidth(line + part) <= width) lines[lines.length - 1] = line + part
    else lines.push(part === ' ' ? '' : part)
  }
  return lines
}

/** Words, and what is between them; words that are too long in characters. */
function* partsOf(text: string, width: number): Generator<string> {
  words ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  characters ??= new Intl.Segmenter()
  for (const { segment: word } of words.segment(text)) {
    if (cellWidth(word) <= width) yield word
    else for (const { segment: character } of characters.segment(word)) yield character
  }
}
