import { type BrokenRow, CsvRecord } from '../src/index.ts'

export type NumberedRecord = { readonly line: number; readonly texts: readonly string[] } | BrokenRow
type Lines = readonly (string | undefined)[]

const BROKEN = 'The quotes of this row are broken.'

/** What keeps a line from being read at all. */
export const unreadable = (line: string | undefined): string | undefined => {
  if (line === undefined) return 'This row is not UTF-8. Save the file as UTF-8.'
  if (line.length > 65_536) return 'This row is longer than 64 KiB. Shorten it.'
  return line.includes('\0') ? 'This row has a NUL character. Remove it.' : undefined
}

/** The records of CSV, of which `begin` lines came before; one that is broken costs its first line alone. */
export async function* csvRecords(
  stretches: AsyncIterable<Lines>,
  separator: string,
  begin: number,
): AsyncGenerator<NumberedRecord[]> {
  let lines: Lines = []
  let number = begin + 1
  const take = (isLast: boolean): NumberedRecord[] => {
    const records: NumberedRecord[] = []
    let at = 0
    while (at < lines.length) {
      const line = number + at
      const problem = unreadable(lines[at])
      const found = problem === undefined ? recordAt(lines, at, separator) : 'broken'
      if (found === 'open' && !isLast) break
      if (lines[at]?.trim() !== '')
        records.push(typeof found === 'object' ? { line, texts: found.texts } : { line, problem: problem ?? BROKEN })
      at = typeof found === 'object' ? found.next : at + 1
    }
    lines = lines.slice(at)
    number += at
    return records
  }
  for await (const stretch of stretches) {
    lines = [...lines, ...stretch]
    yield take(false)
  }
  yield take(true)
}

const recordAt = (lines: Lines, at: number, separator: string) => {
  const record = new CsvRecord(separator)
  for (let next = at, length = 0; next < lines.length; next++) {
    const line = lines[next]
    if (line === undefined || length > 65_536 || record.take(line) !== undefined) return 'broken'
    if (!record.open) return { texts: record.fields, next: next + 1 }
    length += line.length
  }
  return 'open'
}
