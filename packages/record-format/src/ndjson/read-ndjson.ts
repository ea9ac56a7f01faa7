import type { BrokenRow, FileRow, RowReading } from '@rollcall/core'
import { isBlank, type Line } from '../line.ts'
import { textLines } from '../text-lines.ts'
import { ndjsonRowReader } from './ndjson-row.ts'

/** One JSON object a line. */
export const readNdjson = async ({
  body,
  fields,
  names,
}: RowReading): Promise<AsyncIterable<readonly (FileRow | BrokenRow)[]>> => {
  const lines = textLines(body)
  // What keeps the file from being read at all shows in its first line.
  const first = await lines.next()
  return rowsOf(first.value, lines, ndjsonRowReader(fields, names))
}

async function* rowsOf(
  first: readonly Line[] | undefined,
  rest: AsyncIterable<readonly Line[]>,
  rowOf: (line: Line) => FileRow | BrokenRow,
): AsyncGenerator<readonly (FileRow | BrokenRow)[]> {
  const rows = (lines: readonly Line[]) => lines.filter((line) => !isBlank(line)).map(rowOf)
  if (first !== undefined) yield rows(first)
  for await (const lines of rest) yield rows(lines)
}
