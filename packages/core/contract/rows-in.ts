import { expect } from 'vitest'
import type { BrokenRow, FileRow, RecordFormat, RecordFormats, RowReading } from '../src/index.ts'

const FIELDS = ['email', 'name', 'feed', 'consent']

/** The rows of a file that comes in one piece, or byte by byte. */
export const rowsIn = async (
  formats: RecordFormats,
  format: RecordFormat,
  file: string | Uint8Array,
  { names = {}, pieceOf }: { names?: RowReading['names']; pieceOf?: number } = {},
): Promise<(FileRow | BrokenRow)[]> => {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
  const body = (async function* () {
    const size = pieceOf ?? Math.max(bytes.length, 1)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  })()
  const stretches = await formats.read({ format, body, fields: FIELDS, required: ['email'], names })
  const rows: (FileRow | BrokenRow)[] = []
  for await (const stretch of stretches) rows.push(...stretch)
  return rows
}

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

export const good = (line: number, fields: object) => ({ line, fields })
export const broken = (line: number) => ({ line, problem: expect.stringMatching(/\.$/) })
