import { csvRow, IdLines, type IdListOptions } from '@rollcall/core'

/**
 * The ids of a list, each with the line that its row begins in. Blank lines are left out; a row without an id stays, so
 * that the report says so.
 * @throws {InvalidInput} it cannot be read, or a column that is not ignored may say who of them is meant
 */
export const idsIn = (text: string, options: IdListOptions = {}) => {
  const lines = new IdLines(options)
  const rows: { readonly line: number; readonly userId: string }[] = []
  let begin = 1
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const isBlank = !lines.open && line.trim() === ''
    if (!lines.open) begin = lines.line + 1
    const userId = lines.take(line)
    if (userId !== undefined && !isBlank) rows.push({ line: begin, userId })
  }
  return [...rows, ...lines.end().map((userId) => ({ line: 1, userId }))]
}

export const csvLine = (cells: readonly (string | number)[]): string => csvRow(cells.map(String))
