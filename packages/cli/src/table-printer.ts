import { styleText } from 'node:util'
import stringWidth from 'fast-string-width'
import type { Output } from './output.ts'
import type { Session } from './session.ts'
import { visible } from './texts.ts'

export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => string | number
}

const GAP = '  '

/** Where the columns stand: side by side, as many as fit; those that do not, below, a little to the right. */
type Layout = readonly { readonly from: number; readonly indent: string; readonly widths: readonly number[] }[]

/**
 * Prints a table page by page, so that its length costs no memory. On a terminal it fits the width, and no id, address or
 * time is broken, so that each can be copied: longer texts go on in a next line between words, and columns that do not
 * fit beside the others stand below them. Elsewhere a row is a line and nothing is cut.
 */
export class TablePrinter<Row> {
  readonly #output: Output
  readonly #columns: readonly Column<Row>[]
  readonly #colour: boolean
  #layout: Layout | undefined

  constructor(output: Output, columns: readonly Column<Row>[], { colour }: { readonly colour: boolean }) {
    this.#output = output
    this.#columns = columns
    this.#colour = colour
  }

  /** Prints the rows; before the first ones the heads, if it has any. The columns of the first page stay where they were. */
  async print(rows: readonly Row[]): Promise<void> {
    const named = this.#columns.map(({ head }) => head)
    const heads = this.#layout !== undefined || named.every((head) => head === '') ? [] : [named]
    const cells = rows.map((row) => this.#columns.map(({ cell }) => visible(String(cell(row)))))
    const room = this.#output.width
    const layout = (room === undefined ? undefined : this.#layout) ?? layoutOf([...heads, ...cells], room)
    this.#layout = room === undefined ? widened(this.#layout, layout) : layout
    const placed = this.#layout
    const bold = (head: string) => (this.#colour ? styleText('bold', head, { validateStream: false }) : head)
    const lines = [
      ...heads.flatMap((line) => linesOf(line, placed, bold)),
      ...cells.flatMap((line) => linesOf(line, placed)),
    ]
    await this.#output.write(`${lines.join('\n')}\n`)
  }
}

export type Field = readonly [label: string, value: string | number]

const FIELD: readonly Column<Field>[] = [
  { head: '', cell: ([label]) => label },
  { head: '', cell: ([, value]) => value },
]

/** A line for each. */
export const printFields = (session: Session, fields: readonly Field[]): Promise<void> =>
  new TablePrinter(session.stdout, FIELD, { colour: false }).print(fields)

/** Prints one record: JSON for machines, a line per field for people. */
export const printRecord = (session: Session, representation: unknown, fields: readonly Field[]): Promise<void> =>
  session.json ? session.printJson(representation) : printFields(session, fields)

const NARROWEST = 6
// Made for the first cell that is too long, not with every command: start-up time is felt.
let words: Intl.Segmenter | undefined
let characters: Intl.Segmenter | undefined

/** Columns of a terminal that the text takes. A letter written in parts takes what the whole letter takes. */
export const cellWidth = (text: string): number => stringWidth(text.normalize())

const INDENT = '  '

/** Room for everything; in a terminal, as much as it has. */
const layoutOf = (lines: readonly (readonly string[])[], room: number | undefined): Layout => {
  const count = lines[0]?.length ?? 0
  const widest = (of: (text: string) => number): number[] =>
    Array.from({ length: count }, (_, at) => Math.max(...lines.map((line) => of(line[at] ?? ''))))
  const natural = widest(cellWidth)
  if (room === undefined) return [{ from: 0, indent: '', widths: natural }]
  const least = widest((text) => Math.max(longestWord(text), Math.min(cellWidth(text), NARROWEST)))
  const starts = [0]
  let left = room - (least[0] ?? 0)
  for (let at = 1; at < count; at++) {
    left -= GAP.length + (least[at] ?? 0)
    if (left >= 0) continue
    starts.push(at)
    left = room - INDENT.length - (least[at] ?? 0)
  }
  return starts.map((from, n) => {
    const indent = n === 0 ? '' : INDENT
    const part = <Value>(all: readonly Value[]) => all.slice(from, starts[n + 1])
    return { from, indent, widths: fitted(part(natural), part(least), room - indent.length) }
  })
}

/** As wide as the rows before as well; only if there is one line to a row. */
const widened = (before: Layout | undefined, [line]: Layout): Layout =>
  line === undefined
    ? []
    : [{ ...line, widths: line.widths.map((width, at) => Math.max(width, before?.[0]?.widths[at] ?? 0)) }]

/** What may not be broken: as of an id, an address or a time. Other scripts are broken between their characters. */
const WORD = /[\x21-\x7e]+/g

const longestWord = (text: string): number => Math.max(0, ...(text.match(WORD) ?? []).map((word) => word.length))

/** The widths, the widest ones cut until all of them and the gaps between them fit into the room, or no one can be cut. */
const fitted = (widths: readonly number[], least: readonly number[], room: number): number[] => {
  const fit = [...widths]
  let surplus = fit.reduce((sum, width) => sum + width, GAP.length * (fit.length - 1)) - room
  for (; surplus > 0; surplus--) {
    const widest = Math.max(...fit.filter((width, at) => width > (least[at] ?? 0)))
    const at = fit.findIndex((width, n) => width === widest && width > (least[n] ?? 0))
    if (at === -1) break
    fit[at] = widest - 1
  }
  return fit
}

const linesOf = (cells: readonly string[], layout: Layout, styled?: (text: string) => string): string[] =>
  layout.flatMap(({ from, indent, widths }) =>
    columnsOf(cells.slice(from), widths, styled)
      // What stands below and is empty takes no line.
      .filter((line) => line !== '' || from === 0)
      .map((line) => indent + line),
  )

/** Cells side by side, in as many lines as the longest of them needs. Each line of a cell may be given a style. */
const columnsOf = (
  cells: readonly string[],
  widths: readonly number[],
  styled = (text: string): string => text,
): string[] => {
  const columns = widths.map((width, at) => ({ width, lines: wrapped(cells[at] ?? '', width) }))
  const height = Math.max(...columns.map(({ lines }) => lines.length))
  return Array.from({ length: height }, (_, row) => {
    const parts = columns.map(({ width, lines }) => {
      const text = lines[row] ?? ''
      return (text && styled(text)) + ' '.repeat(Math.max(width - cellWidth(text), 0))
    })
    return parts.join(GAP).replace(/ +$/, '')
  })
}

/** The text in lines of at most `width` columns, broken between words alone, never inside one or a character. */
const wrapped = (text: string, width: number): string[] => {
  if (cellWidth(text) <= width) return [text]
  const lines = ['']
  for (const part of partsOf(text, width)) {
    const line = lines.at(-1) ?? ''
    if (line === '' || cellWidth(line + part) <= width) lines[lines.length - 1] = line + part
    else lines.push(part === ' ' ? '' : part)
  }
  return lines
}

const PARTS = /[\x21-\x7e]+|[^\x21-\x7e]+/g

/** Words, and what is between them; of other scripts, words that are too long in characters. */
function* partsOf(text: string, width: number): Generator<string> {
  words ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  characters ??= new Intl.Segmenter()
  for (const part of text.match(PARTS) ?? []) {
    if (/^[\x21-\x7e]/.test(part)) yield part
    else
      for (const { segment: word } of words.segment(part)) {
        if (cellWidth(word) <= width) yield word
        else for (const { segment: character } of characters.segment(word)) yield character
      }
  }
}
