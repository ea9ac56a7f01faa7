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

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

export const good = (line: number, fields: object) => ({ line, fields })
export const broken = (line: number) => ({ line, problem: expect.stringMatching(/\.$/) })

const joined = (lines: readonly string[], end: string): string => lines.map((line) => line + end).join('')

const ENDS = [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
] as const

/** What holds for every format. */
export const recordFilesContract = (formats: RecordFormats) => {
  const csv = (file: string | Uint8Array) => rowsIn(formats, 'csv', file)
  const ndjson = (file: string | Uint8Array) => rowsIn(formats, 'ndjson', file)

  describe('the reading of files', () => {
    it.each(ENDS)(
      'takes lines that end with %s, in CSV and in NDJSON, the last one with or without',
      async (_, end) => {
        const table = ['email,name', 'a@example.com,A', '', 'b@example.com,B']
        const rows = [good(2, { email: 'a@example.com', name: 'A' }), good(4, { email: 'b@example.com', name: 'B' })]
        for (const pieceOf of [1, 2, 1000])
          for (const file of [joined(table, end), table.join(end)])
            expect(await rowsIn(formats, 'csv', file, { pieceOf })).toEqual(rows)
        const lines = ['{"email":"a@example.com"}', ' ', '{"email":"b@example.com"}']
        const objects = [good(1, { email: 'a@example.com' }), good(3, { email: 'b@example.com' })]
        for (const pieceOf of [1, 2, 1000])
          for (const file of [joined(lines, end), lines.join(end)])
            expect(await rowsIn(formats, 'ndjson', file, { pieceOf })).toEqual(objects)
      },
    )

    it('skips a byte order mark', async () => {
      expect(await csv('\ufeffemail\na@example.com')).toEqual([good(2, { email: 'a@example.com' })])
      expect(await ndjson('\ufeff{"email":"a@example.com"}')).toEqual([good(1, { email: 'a@example.com' })])
    })

    it('keeps every character as it is', async () => {
      const name = ' Ünï, "co"\u00a0de 👩🏽‍🚀\u2028'
      expect(await csv(`email,name\na@example.com,"${name.replaceAll('"', '""')}"`)).toEqual([
        good(2, { email: 'a@example.com', name }),
      ])
      expect(await ndjson(JSON.stringify({ email: 'a@example.com', name }))).toEqual([
        good(1, { email: 'a@example.com', name }),
      ])
    })

    it.each(['utf-16le', 'utf-16be', 'utf-16le without a mark'])('refuses a file in %s', async (encoding) => {
      const text = '\ufeffemail\na@example.com\n'.slice(encoding.includes('without') ? 1 : 0)
      const units = Uint16Array.from(text, (character) => character.charCodeAt(0))
      const bytes = new Uint8Array(units.buffer).slice()
      if (encoding === 'utf-16be') for (let at = 0; at < bytes.length; at += 2) bytes.subarray(at, at + 2).reverse()
      await expect(csv(bytes)).rejects.toThrow(MalformedRequest)
      await expect(ndjson(bytes)).rejects.toThrow(MalformedRequest)
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

    it('passes on what the body throws', async () => {
      const body = (async function* () {
        yield new TextEncoder().encode('email\na@example.com\n')
        throw new RangeError('broke off')
      })()
      const reading = { format: 'csv', body, fields: FIELDS, required: [], names: {} } as const
      const read = async () => {
        for await (const stretch of await formats.read(reading)) for (const _ of stretch);
      }
      await expect(read()).rejects.toThrow('broke off')
    })

    it('gives rows as they come, not when the file is over', async () => {
      const chunks = { taken: 0 }
      const body = (async function* () {
        for (;;) {
          chunks.taken++
          yield encode('{"email":"a"}\n')
        }
      })()
      const reading = { format: 'ndjson', body, fields: ['email'], required: [], names: {} } as const
      for await (const rows of await formats.read(reading)) {
        expect([...rows]).toHaveLength(1)
        if (chunks.taken > 5) break
      }
      expect(chunks.taken).toBe(6)
    })

    it('is closed when the reader stops', async () => {
      let closed = false
      const endless = async function* (line: string) {
        try {
          for (;;) yield encode(line)
        } finally {
          closed = true
        }
      }
      for (const format of ['csv', 'ndjson'] as const) {
        closed = false
        const reading = { format, fields: ['email'], required: ['email'], names: {} }
        for await (const _ of await formats.read({ ...reading, body: endless('email\n') })) break
        expect(closed).toBe(true)
      }
      closed = false
      const unnamed = {
        format: 'csv',
        body: endless('name\n'),
        fields: ['email'],
        required: ['email'],
        names: {},
      } as const
      await expect(formats.read(unnamed)).rejects.toThrow('columns')
      expect(closed).toBe(true)
    })
  })
}
