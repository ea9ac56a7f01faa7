import type { BrokenRow } from '../src/index.ts'

type CsvRecord = { readonly line: number; readonly texts: readonly string[] } | BrokenRow

const BROKEN = 'The quotes of this row are broken.'
// A field, quoted or not, and what ends it.
const FIELD = (separator: string) =>
  new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}][^${separator}]*)|)(${separator}|$)`, 'y')

/** The records of CSV from a line on; one that is broken costs its first line alone. */
export const csvRecords = (
  lines: readonly (string | undefined)[],
  begin: number,
  separator: string,
  unreadable: (line: string | undefined) => string | undefined,
): CsvRecord[] => {
  const records: CsvRecord[] = []
  for (let at = begin; at < lines.length; ) {
    const problem = unreadable(lines[at])
    const found = problem === undefined ? recordAt(lines, at, separator) : undefined
    if (lines[at]?.trim() === '') at++
    else if (found === undefined) records.push({ line: ++at, problem: problem ?? BROKEN })
    else {
      records.push({ line: at + 1, texts: found.texts })
      at = found.next
    }
  }
  return records
}

const recordAt = (lines: readonly (string | undefined)[], at: number, separator: string) => {
  let text = ''
  for (let next = at; next < lines.length && text.length <= 65_536; next++) {
    const line = lines[next]
    if (line === undefined) return undefined
    text = next === at ? line : `${text}\n${line}`
    const texts = fieldsOf(text, separator)
    if (texts !== undefined) return { texts, next: next + 1 }
  }
  return undefined
}

const fieldsOf = (text: string, separator: string): string[] | undefined => {
  const field = FIELD(separator)
  const texts: string[] = []
  for (;;) {
    const found = field.exec(text)
    if (found === null) return undefined
    texts.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === '') return texts
  }
}
