import type { BrokenRow, FileRow, RowReading } from '@rollcall/core'
import { isBlank, type Line } from '../line.ts'
import { resumed, textLines } from '../text-lines.ts'
import { ndjsonRowReader } from './ndjson-row.ts'

/** One JSON object a line. */
export const readNdjson = async (reading: RowReading): Promise<AsyncIterable<Iterable<FileRow | BrokenRow>>> => {
  const lines = textLines(reading.body)
  // What keeps the file from being read at all shows in its first line.
  const { value: first = [] } = await lines.next()
  return rowsOf(resumed(first, lines), ndjsonRowReader(reading.fields, reading.names))
}

async function* rowsOf(
  stretches: AsyncIterable<readonly Line[]>,
  rowOf: (line: Line) => FileRow | BrokenRow,
): AsyncGenerator<Iterable<FileRow | BrokenRow>> {
  for await (const lines of stretches) yield rowsIn(lines, rowOf)
}

function* rowsIn(lines: readonly Line[], rowOf: (line: Line) => FileRow | BrokenRow): Generator<FileRow | BrokenRow> {
  for (const line of lines) if (!isBlank(line)) yield rowOf(line)
}
