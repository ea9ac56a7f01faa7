import type { BrokenRow, FileRow, RowReading } from '@rollcall/core'
import { isBlank, type Line } from '../line.ts'
import { type Lines, resumed, textLines } from '../text-lines.ts'
import { csvColumnsOf } from './csv-columns.ts'
import { CsvRows } from './csv-rows.ts'

/** CSV whose first line names the columns; separated by comma, semicolon or tab, whichever fits that line. */
export const readCsv = async (reading: RowReading): Promise<AsyncIterable<Iterable<FileRow | BrokenRow>>> => {
  const lines = textLines(reading.body)
  try {
    const [head, ...others] = await firstLines(lines)
    return rowsOf(resumed(others, lines), new CsvRows(csvColumnsOf(head, reading)))
  } catch (error) {
    await lines.return(undefined)
    throw error
  }
}

/** The first stretch with something in it, from there on; empty at the end of the file. */
const firstLines = async (lines: Lines): Promise<readonly Line[]> => {
  for (;;) {
    const { value } = await lines.next()
    if (value === undefined) return []
    const begin = value.findIndex((line) => !isBlank(line))
    if (begin !== -1) return value.slice(begin)
  }
}

async function* rowsOf(
  stretches: AsyncIterable<readonly Line[]>,
  rows: CsvRows,
): AsyncGenerator<Iterable<FileRow | BrokenRow>> {
  for await (const lines of stretches) yield rows.take(lines)
  yield rows.end()
}
