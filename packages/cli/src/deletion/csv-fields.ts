/**
 * The fields of a CSV record; undefined while a quoted field is still open, so that the record goes on in the next line.
 * @throws {SyntaxError} something follows a closing quote
 * @see RFC 4180 section 2
 */
export const csvFields = (record: string, separator: string): string[] | undefined => {
  const fields: string[] = []
  for (let start = 0; start <= record.length; ) {
    const field = record[start] === '"' ? quotedField(record, start) : plainField(record, start, separator)
    if (field === undefined) return undefined
    if (field.end < record.length && record[field.end] !== separator)
      throw new SyntaxError('Something follows a closing quote.')
    fields.push(field.text)
    start = field.end + 1
  }
  return fields
}

interface Field {
  readonly text: string
  readonly end: number
}

const plainField = (record: string, start: number, separator: string): Field => {
  const found = record.indexOf(separator, start)
  const end = found === -1 ? record.length : found
  return { text: record.slice(start, end), end }
}

const quotedField = (record: string, start: number): Field | undefined => {
  let text = ''
  for (let from = start + 1; ; ) {
    const quote = record.indexOf('"', from)
    if (quote === -1) return undefined
    text += record.slice(from, quote)
    if (record[quote + 1] !== '"') return { text, end: quote + 1 }
    text += '"'
    from = quote + 2
  }
}
