import { describe, expect, it } from 'vitest'
import {
  type BrokenRow,
  type FileRow,
  MalformedRequest,
  type RecordFormat,
  type RecordFormats,
  type RowReading,
} from '../src/index.ts'

export const FIELDS = ['email', 'name', 'feed', 'consent']

export type Names = RowReading['names']
type File = string | Uint8Array

interface ReadingOptions {
  readonly names?: Names | undefined
  /** How many bytes come at a time; all of them where it is left out. */
  readonly pieceOf?: number
}

/** The rows of a file. */
export const rowsIn = async (
  formats: RecordFormats,
  format: RecordFormat,
  file: File,
  { names = {}, pieceOf }: ReadingOptions = {},
): Promise<(FileRow | BrokenRow)[]> => {
  const bytes = typeof file === 'string' ? encode(file) : file
  const body = (async function* () {
    const size = pieceOf ?? Math.max(bytes.length, 1)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  })()
  const stretches = await formats.read({ format, body, fields: FIELDS, required: ['email'], names })
  const rows: (FileRow | BrokenRow)[] = []
  for await (const stretch of stretches) rows.push(...stretch)
  return rows
}

export const readingBy = (formats: RecordFormats) => ({
  csv: (file: File, options?: ReadingOptions) => rowsIn(formats, 'csv', file, options),
  ndjson: (file: File, options?: ReadingOptions) => rowsIn(formats, 'ndjson', file, options),
})

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

export const good = (line: number, fields: object, others: readonly (readonly [string, unknown])[] = []) => ({
  line,
  fields,
  others,
})
export const broken = (line: number) => ({ line, problem: expect.stringMatching(/\.$/) })

const ENDS = Object.entries({ LF: '\n', CRLF: '\r\n', CR: '\r' })

/** What holds for every format. */
export const recordFilesContract = (formats: RecordFormats) => {
  const { csv, ndjson } = readingBy(formats)

  describe('the reading of files', () => {
    it.each(ENDS)(
      'takes lines that end with %s, in CSV and in NDJSON, the last one with or without',
      async (_, end) => {
        const [a, b] = [{ email: 'a@example.com' }, { email: 'b@example.com' }]
        const table = ['email,name', 'a@example.com,A', '', 'b@example.com,B'].join(end)
        const rows = [good(2, { ...a, name: 'A' }), good(4, { ...b, name: 'B' })]
        const lines = [JSON.stringify(a), ' ', JSON.stringify(b)].join(end)
        for (const pieceOf of [1, 2, 1000])
          for (const last of ['', end]) {
            expect(await csv(table + last, { pieceOf })).toEqual(rows)
            expect(await ndjson(lines + last, { pieceOf })).toEqual([good(1, a), good(3, b)])
          }
      },
    )

    it('skips a byte order mark', async () => {
      expect(await csv('\ufeffemail\na@example.com')).toEqual([good(2, { email: 'a@example.com' })])
      expect(await ndjson('\ufeff{"email":"a@example.com"}')).toEqual([good(1, { email: 'a@example.com' })])
    })

    it('keeps every character as it is', async () => {
      const fields = { email: 'a@example.com', name: ' Ünï, "co"\u00a0de 👩🏽‍🚀\u2028' }
      const cell = fields.name.replaceAll('"', '""')
      expect(await csv(`email,name\na@example.com,"${cell}"`)).toEqual([good(2, fields)])
      expect(await ndjson(JSON.stringify(fields))).toEqual([good(1, fields)])
    })

    it.each(['utf-16le', 'utf-16be', 'utf-16le without a mark'])('refuses a file in %s', async (encoding) => {
      const text = '\ufeffemail\na@example.com\n'.slice(encoding.includes('without') ? 1 : 0)
      const units = Uint16Array.from(text, (character) => character.charCodeAt(0))
      const bytes = new Uint8Array(units.buffer).slice()
      if (encoding === 'utf-16be') for (let at = 0; at < bytes.length; at += 2) bytes.subarray(at, at + 2).reverse()
      await expect(csv(bytes)).rejects.toThrow(MalformedRequest)
      await expect(ndjson(bytes)).rejects.toThrow(MalformedRequest)
    })

    it.each(['504b03041400060008', 'd0cf11e0a1b11ae100'])('refuses a workbook that begins with %s', async (begins) => {
      const bytes = Uint8Array.from(begins.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
      await expect(csv(bytes)).rejects.toThrow(/workbook/)
      await expect(ndjson(bytes)).rejects.toThrow(/workbook/)
    })

    it('reports a row that is no UTF-8, has a NUL or is longer than 64 KiB, and reads the next', async () => {
      const bytes = Uint8Array.from([
        ...encode('email\n'),
        ...[0x61, 0xff, 0x62, 0x0a],
        ...encode('a\0@example.com\n'),
        ...encode(`${'x'.repeat(70_000)}\n`),
        ...encode('ü@example.com\n'),
      ])
      const rows = [broken(2), broken(3), broken(4), good(5, { email: 'ü@example.com' })]
      expect(await csv(bytes)).toEqual(rows)
      expect(await ndjson(bytes)).toEqual([broken(1), broken(2), broken(3), broken(4), broken(5)])
    })

    const reading = { fields: ['email'], required: ['email'], names: {} }

    it('passes on what the body throws', async () => {
      const body = (async function* () {
        yield encode('email\na@example.com\n')
        throw new RangeError('broke off')
      })()
      const read = async () => {
        for await (const rows of await formats.read({ ...reading, format: 'csv', body })) for (const _ of rows);
      }
      await expect(read()).rejects.toThrow('broke off')
    })

    it('gives rows as they come, not when the file is over', async () => {
      let taken = 0
      const body = (async function* () {
        for (; ; taken++) yield encode('{"email":"a"}\n')
      })()
      let read = 0
      for await (const rows of await formats.read({ ...reading, format: 'ndjson', body })) {
        expect([...rows]).toHaveLength(1)
        if (++read > 5) break
      }
      expect(taken).toBe(5)
    })

    it('is closed when the reader stops', async () => {
      let closed = false
      const endless = async function* (line: string) {
        closed = false
        try {
          for (;;) yield encode(line)
        } finally {
          closed = true
        }
      }
      for (const format of ['csv', 'ndjson'] as const) {
        for await (const _ of await formats.read({ ...reading, format, body: endless('email\n') })) break
        expect(closed).toBe(true)
      }
      await expect(formats.read({ ...reading, format: 'csv', body: endless('name\n') })).rejects.toThrow('columns')
      expect(closed).toBe(true)
    })
  })
}
