import { CsvRecord, decidingColumns, csvRow, InvalidInput } from '@rollcall/core/all'

/**
 * The ids of a list: one a line; or of a CSV file, those of its column `id`. Empty lines are left out. A line that cannot
 * be read stays as a row, so that the report says so.
 * @throws {InvalidInput} another column may say who of them is meant
 */
export const idsIn = (text: string): { readonly line: number; readonly userId: string }[] => {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const head = lines.findIndex((line) => line.trim() !== '')
  const [separator, column] = columnIn(lines[head] ?? '')
  return lines.flatMap((line, i) => {
    if (line.trim() === '' || (column !== undefined && i === head)) return []
    return [{ line: i + 1, userId: column === undefined ? line.trim() : cellOf(line, separator, column) }]
  })
}

const columnIn = (line: string): [separator: string, column: number | undefined] => {
  for (const separator of [',', ';', '\t']) {
    const column = fieldsOf(line, separator).findIndex((name) => name.trim().toLowerCase() === 'id')
    if (column < 0) continue
    requireNoOther(fieldsOf(line, separator))
    return [separator, column]
  }
  return [',', undefined]
}

const requireNoOther = (names: readonly string[]): void => {
  const [name] = decidingColumns(names, [])
  if (name === undefined) return
  const message = `The column '${name.trim()}' may say which of these users are meant, and is not used. Leave only those in the list that are to be deleted, and remove the column.`
  throw new InvalidInput([{ field: 'file', message }])
}

const fieldsOf = (line: string, separator: string): readonly string[] => {
  const record = new CsvRecord(separator)
  return record.take(line) === undefined && !record.open ? record.fields : []
}

const cellOf = (line: string, separator: string, column: number): string =>
  fieldsOf(line, separator)[column]?.trim() ?? ''

export const csvLine = (cells: readonly (string | number)[]): string => csvRow(cells.map(String))
