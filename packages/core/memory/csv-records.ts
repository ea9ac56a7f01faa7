import type { BrokenRow } from '../src/index.ts'

export type CsvRecord = { readonly line: number; readonly texts: readonly string[] } | BrokenRow
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
): AsyncGenerator<CsvRecord[]> {
  let lines: Lines = []
  let number = begin + 1
  const take = (isLast: boolean): CsvRecord[] => {
    const records: CsvRecord[] = []
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
  let text = ''
  for (let next = at; next < lines.length; next++) {
    const line = lines[next]
    if (line === undefined || text.length > 65_536) return 'broken'
    text = next === at ? line : `${text}\n${line}`
    const texts = csvFieldsOf(text, separator)
    if (texts !== undefined) return { texts, next: next + 1 }
  }
  return 'open'
}

/** The fields of a record; undefined where its quotes are not in order, or not yet. */
export const csvFieldsOf = (text: string, separator: string): string[] | undefined => {
  // A field, quoted or not, and what ends it.
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}][^${separator}]*)|)(${separator}|$)`, 'y')
  const texts: string[] = []
  for (;;) {
    const found = field.exec(text)
    if (found === null) return undefined
    texts.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === '') return texts
  }
}
