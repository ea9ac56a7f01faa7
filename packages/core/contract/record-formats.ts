import { describe, expect, it } from 'vitest'
import {
  type BrokenRow,
  type FileRow,
  InvalidInput,
  MalformedRequest,
  type RecordFormat,
  type RecordFormats,
  type RowReading,
} from '../src/index.ts'

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

const encode = (text: string) => new TextEncoder().encode(text)

const good = (line: number, fields: object) => ({ line, fields })
const broken = (line: number) => ({ line, problem: expect.stringMatching(/\.$/) })
const joined = (lines: readonly string[], end: string): string => lines.map((line) => line + end).join('')

const ENDS = [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
] as const

export const recordFormatsContract = (formats: RecordFormats) => {
  const csv = (file: string | Uint8Array, names?: RowReading['names']) =>
    rowsIn(formats, 'csv', file, names === undefined ? {} : { names })
  const ndjson = (file: string | Uint8Array, names?: RowReading['names']) =>
    rowsIn(formats, 'ndjson', file, names === undefined ? {} : { names })

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

    it('tells of a row that is no UTF-8, has a NUL or is longer than 64 KiB, and reads the next', async () => {
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

    it('is let go of when nobody reads on', async () => {
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

  describe('the reading of NDJSON', () => {
    it('gives the fields that were asked for with what they hold, whatever it is', async () => {
      const row = { email: 'a@example.com', name: null, consent: [{ deed: 'confirmed' }], more: 1 }
      expect(await ndjson(JSON.stringify(row))).toEqual([
        good(1, { email: 'a@example.com', name: null, consent: [{ deed: 'confirmed' }] }),
      ])
    })

    it('takes fields by the names they are said to have', async () => {
      const row = { 'E-Mail': 'a@example.com', email: 'no@example.com', 'full "name"': 'A' }
      expect(await ndjson(JSON.stringify(row), { email: 'E-Mail', name: 'full "name"' })).toEqual([
        good(1, { email: 'a@example.com', name: 'A' }),
      ])
    })

    it.each(['{', '[]', '1', '"a"', 'null', '{"email":"a"} {"email":"b"}', '{"email":"a",}'])(
      'tells of %s, which is no object',
      async (line) => {
        expect(await ndjson(`${line}\n{"email":"b"}`)).toEqual([broken(1), good(2, { email: 'b' })])
      },
    )

    it.each(['{"email":"a","email":"b"}', '{"email":"a","em\\u0061il":"b"}', '{"email" :"a","email"\t:"b"}'])(
      'tells of a field that comes twice: %s',
      async (line) => {
        expect(await ndjson(line)).toEqual([broken(1)])
      },
    )

    it('is not confused by what looks like a field inside of one', async () => {
      const row = { email: '"email":', name: 'name', consent: [{ email: 'x' }, { email: 'y' }] }
      expect(await ndjson(JSON.stringify(row))).toEqual([good(1, row)])
    })

    it('takes names that mean something to JavaScript for names like others', async () => {
      expect(await ndjson('{"__proto__":{"email":"x"},"constructor":1}')).toEqual([good(1, {})])
    })
  })

  describe('the reading of CSV', () => {
    it.each([',', ';', '\t'])('finds out that fields are separated by %j', async (separator) => {
      const line = (...fields: string[]) => `${fields.join(separator)}\n`
      expect(await csv(line('name', 'email') + line('A', 'a@example.com'))).toEqual([
        good(2, { email: 'a@example.com', name: 'A' }),
      ])
    })

    it('knows columns by name, whatever their case and the blanks around them, and leaves out empty cells', async () => {
      expect(await csv('NAME, Email ,other\n,a@example.com,x\n')).toEqual([good(2, { email: 'a@example.com' })])
    })

    it('takes columns by the names they are said to have', async () => {
      const names = { email: 'E-Mail', name: 'Full, Name' }
      expect(await csv('email,E-Mail,"Full, Name"\nno,a@example.com,A', names)).toEqual([
        good(2, { email: 'a@example.com', name: 'A' }),
      ])
    })

    it.each([
      ['no column has the address', 'name\nA', {}, 'columns'],
      ['two columns have the address', 'email,Email\na,b', {}, 'columns'],
      ['the file is empty', '', {}, 'columns'],
      ['there are only blank lines', '\n\n', {}, 'columns'],
      ['a column is not there that is said to be', 'email\na', { name: 'Full Name' }, 'map'],
    ] as const)('refuses the file where %s', async (_, file, names, field) => {
      const error: unknown = await csv(file, names).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(InvalidInput)
      expect(error).toMatchObject({ details: [{ field }] })
    })

    it('reads quoted fields with separators, quotes and line ends in them', async () => {
      const file = 'email,name\na@example.com,"A, ""the"" first\nof all"\n"b@example.com",B\n'
      for (const pieceOf of [1, 7, 1000])
        expect(await rowsIn(formats, 'csv', file, { pieceOf })).toEqual([
          good(2, { email: 'a@example.com', name: 'A, "the" first\nof all' }),
          good(4, { email: 'b@example.com', name: 'B' }),
        ])
    })

    it('tells of a row with more or fewer fields than columns', async () => {
      expect(await csv('email,name\na@example.com\nb@example.com,B,C\nc@example.com,C')).toEqual([
        broken(2),
        broken(3),
        good(4, { email: 'c@example.com', name: 'C' }),
      ])
    })

    it('loses no row to a quote that is not closed, or closed too early, in the one before', async () => {
      const rest = 'b@example.com,B\nc@example.com,C\n'
      for (const bad of ['a@example.com,"A', '"a"@example.com,A', '"a@example.com,A'])
        expect(await csv(`email,name\n${bad}\n${rest}`)).toEqual([
          broken(2),
          good(3, { email: 'b@example.com', name: 'B' }),
          good(4, { email: 'c@example.com', name: 'C' }),
        ])
    })

    it('takes a quote within a field that has none around it as it is', async () => {
      expect(await csv('email,name\na@example.com,5" A')).toEqual([good(2, { email: 'a@example.com', name: '5" A' })])
    })
  })

  describe('the writing of files', () => {
    const RECORDS = [
      { email: 'a@example.com', name: 'A, "the" first\nof all', feed: null, consent: [{ count: 1 }] },
      { email: 'b@example.com', name: ' 👩🏽‍🚀;', feed: 'news', consent: [] },
    ]

    it('gives NDJSON that reads as it was', async () => {
      const { head, text } = formats.write('ndjson', FIELDS)
      const file = head + text(RECORDS.slice(0, 1)) + text([]) + text(RECORDS.slice(1))
      expect((await ndjson(file)).map((row) => 'fields' in row && row.fields)).toEqual(RECORDS)
    })

    it('gives CSV that reads as it was, objects as JSON', async () => {
      const { head, text } = formats.write('csv', FIELDS)
      const file = head + text(RECORDS.slice(0, 1)) + text([]) + text(RECORDS.slice(1))
      expect(file.split('\r\n', 1)).toEqual(['email,name,feed,consent'])
      expect((await csv(file)).map((row) => 'fields' in row && row.fields)).toEqual([
        { email: 'a@example.com', name: 'A, "the" first\nof all', consent: '[{"count":1}]' },
        { email: 'b@example.com', name: ' 👩🏽‍🚀;', feed: 'news', consent: '[]' },
      ])
    })

    it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
      'puts an apostrophe before %j in CSV, which no spreadsheet takes for a formula then',
      async (name) => {
        const { head, text } = formats.write('csv', ['email', 'name'])
        const cell = text([{ email: 'a@example.com', name }]).slice('a@example.com,'.length)
        expect(cell).toMatch(/^"?'/)
        if (!/[\t\r]/.test(name))
          expect(await csv(head + text([{ email: 'a@example.com', name }]))).toEqual([
            good(2, { email: 'a@example.com', name: `'${name}` }),
          ])
      },
    )

    it('writes numbers as numbers, negative ones too', () => {
      expect(formats.write('csv', ['id']).text([{ id: -1 }])).toBe('-1\r\n')
    })
  })
}
