import { expect } from 'vitest'
import { type BrokenRow, type FileRow, type RecordFormat, type RowReading, readRecords } from '../src/index.ts'

export const FIELDS = ['email', 'name', 'feed', 'consent']

export type Names = RowReading['names']
type File = string | Uint8Array

interface ReadingOptions {
  readonly names?: Names | undefined
  readonly decides?: (name: string) => boolean
  /** How many bytes come at a time; all of them where it is left out. */
  readonly pieceOf?: number
}

/** The rows of a file. */
export const rowsIn = async (
  format: RecordFormat,
  file: File,
  { names = {}, pieceOf, ...more }: ReadingOptions = {},
): Promise<(FileRow | BrokenRow)[]> => {
  const bytes = typeof file === 'string' ? encode(file) : file
  const body = (async function* () {
    const size = pieceOf ?? Math.max(bytes.length, 1)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  })()
  const stretches = await readRecords({ format, body, fields: FIELDS, required: ['email'], names, ...more })
  const rows: (FileRow | BrokenRow)[] = []
  for await (const stretch of stretches) rows.push(...stretch)
  return rows
}

export const csv = (file: File, options?: ReadingOptions) => rowsIn('csv', file, options)
export const ndjson = (file: File, options?: ReadingOptions) => rowsIn('ndjson', file, options)

/** A file of ours with commas or semicolons as a spreadsheet saves it with others: of each formula what it gives. */
export const savedBySpreadsheet = (file: string, from: string, to: string): string =>
  [...file.replace('\ufeff', '').matchAll(new RegExp(`(?:"((?:[^"]|"")*)"|([^${from}\r\n]*))(${from}|\r\n)`, 'g'))]
    .map(([, quoted, plain = '', end = '']) => {
      const text = quoted?.replaceAll('""', '"') ?? plain
      const shown = /^="((?:[^"]|"")*)"$/.exec(text)?.[1]?.replaceAll('""', '"') ?? text
      return `"${shown.replaceAll('"', '""')}"${end === from ? to : end}`
    })
    .join('')

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

export const good = (line: number, fields: object, others: readonly (readonly [string, unknown])[] = []) => ({
  line,
  fields,
  others,
})
export const broken = (line: number, part = '') => ({ line, problem: expect.stringMatching(`${part}.*\\.$`) })
