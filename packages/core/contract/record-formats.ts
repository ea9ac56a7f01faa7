import { describe, expect, it } from 'vitest'
import { InvalidInput, type RecordFormats, type RowReading } from '../src/index.ts'
import { broken, FIELDS, good, recordFilesContract, rowsIn } from './record-files.ts'

export const recordFormatsContract = (formats: RecordFormats) => {
  const csv = (file: string | Uint8Array, names?: RowReading['names']) =>
    rowsIn(formats, 'csv', file, names === undefined ? {} : { names })
  const ndjson = (file: string | Uint8Array, names?: RowReading['names']) =>
    rowsIn(formats, 'ndjson', file, names === undefined ? {} : { names })

  recordFilesContract(formats)

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
      'reports %s, which is not an object',
      async (line) => {
        expect(await ndjson(`${line}\n{"email":"b"}`)).toEqual([broken(1), good(2, { email: 'b' })])
      },
    )

    it.each(['{"email":"a","email":"b"}', '{"email":"a","em\\u0061il":"b"}', '{"email" :"a","email"\t:"b"}'])(
      'reports a field that comes twice: %s',
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

    it('reports a row with more or fewer fields than columns', async () => {
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
