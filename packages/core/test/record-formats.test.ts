import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvalidInput, MalformedRequest, readRecords, recordWriter } from '../src/index.ts'
import { broken, csv, encode, FIELDS, good, type Names, ndjson, savedBySpreadsheet } from './record-files.ts'

type Others = readonly (readonly [string, unknown])[]

const RECORDS = [
  { email: 'a@example.com', name: 'A, "the" first\nof all', feed: null, consent: [{ count: 1 }] },
  { email: 'b@example.com', name: ' 👩🏽‍🚀;', feed: 'news', consent: [] },
]

const ENDS = Object.entries({ LF: '\n', CRLF: '\r\n', CR: '\r' })

describe('the reading of files', () => {
  it.each(ENDS)('takes lines that end with %s, in CSV and in NDJSON, the last one with or without', async (_, end) => {
    const [a, b] = [{ email: 'a@example.com' }, { email: 'b@example.com' }]
    const table = ['email,name', 'a@example.com,A', '', 'b@example.com,B'].join(end)
    const rows = [good(2, { ...a, name: 'A' }), good(4, { ...b, name: 'B' })]
    const lines = [JSON.stringify(a), ' ', JSON.stringify(b)].join(end)
    for (const pieceOf of [1, 2, 1000])
      for (const last of ['', end]) {
        expect(await csv(table + last, { pieceOf })).toEqual(rows)
        expect(await ndjson(lines + last, { pieceOf })).toEqual([good(1, a), good(3, b)])
      }
  })

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

  it.each(['504b03041400060008', 'd0cf11e0a1b11ae100', '1f8b08000a'])(
    'refuses a packed file that begins with %s',
    async (begins) => {
      const bytes = Uint8Array.from(begins.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
      await expect(csv(bytes)).rejects.toThrow(/workbook/)
      await expect(ndjson(bytes)).rejects.toThrow(/workbook/)
    },
  )

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
      for await (const rows of await readRecords({ ...reading, format: 'csv', body })) for (const _ of rows);
    }
    await expect(read()).rejects.toThrow('broke off')
  })

  it('gives rows as they come, not when the file is over', async () => {
    let taken = 0
    const body = (async function* () {
      for (; ; taken++) yield encode('{"email":"a"}\n')
    })()
    let read = 0
    for await (const rows of await readRecords({ ...reading, format: 'ndjson', body })) {
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
      for await (const _ of await readRecords({ ...reading, format, body: endless('email\n') })) break
      expect(closed).toBe(true)
    }
    await expect(readRecords({ ...reading, format: 'csv', body: endless('name\n') })).rejects.toThrow('columns')
    expect(closed).toBe(true)
  })
})

describe('the reading of NDJSON', () => {
  it.each<[title: string, row: object, fields: object, others: Others, names?: Names]>([
    [
      'gives the fields that were asked for with what they hold, whatever it is',
      { email: 'a@example.com', name: null, consent: [{ deed: 'confirmed' }], more: 1 },
      { email: 'a@example.com', name: null, consent: [{ deed: 'confirmed' }] },
      [['more', 1]],
    ],
    [
      'takes fields by the names they are said to have',
      { 'E-Mail': 'a@example.com', email: 'no@example.com', 'full "name"': 'A' },
      { email: 'a@example.com', name: 'A' },
      [['email', 'no@example.com']],
      { email: 'E-Mail', name: 'full "name"' },
    ],
    [
      'is not confused by what looks like a field inside of one',
      { email: '"email":', name: 'name', consent: [{ email: 'x' }, { email: 'y' }] },
      { email: '"email":', name: 'name', consent: [{ email: 'x' }, { email: 'y' }] },
      [],
    ],
  ])('%s', async (_, row, fields, others, names) => {
    expect(await ndjson(JSON.stringify(row), { names })).toEqual([good(1, fields, others)])
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

  it('reports a field that is looked for within another member, and takes a name with a dot', async () => {
    const rows = ['{"email":"a","of":{"feed":"x"}}', '{"email":"b"}', '{"email":"c","of.feed":"y"}']
    expect(await ndjson(rows.join('\n'), { names: { feed: 'of.feed' } })).toEqual([
      broken(1, "'of.feed'"),
      good(2, { email: 'b' }),
      good(3, { email: 'c', feed: 'y' }),
    ])
  })

  it('takes names that mean something to JavaScript for names like others', async () => {
    const [row] = await ndjson('{"__proto__":{"email":"x"},"constructor":1}')
    const others = [
      ['__proto__', { email: 'x' }],
      ['constructor', 1],
    ] as const
    expect(row).toEqual(good(1, {}, others))
  })
})

describe('the reading of CSV', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => ({ email: `${letter}@example.com`, name: letter.toUpperCase() }))

  it.each([',', ';', '\t'])('finds out that fields are separated by %j', async (separator) => {
    const line = (...fields: string[]) => `${fields.join(separator)}\n`
    expect(await csv(line('name', 'email') + line('A', 'a@example.com'))).toEqual([good(2, { ...a })])
  })

  it.each<[title: string, file: string, rows: object[], names?: Names]>([
    [
      'knows columns by name, whatever their case and the blanks around them, and leaves out empty cells',
      'NAME, Email ,other\n,a@example.com,x\n',
      [good(2, { email: 'a@example.com' }, [['other', 'x']])],
    ],
    [
      'gives all other columns by the names that they have, empty ones too, and those that come twice',
      'email, Type ,tags,tags\na@example.com,,x,y\n',
      [
        good(2, { email: 'a@example.com' }, [
          ['Type', ''],
          ['tags', 'x'],
          ['tags', 'y'],
        ]),
      ],
    ],
    [
      'calls a column without a name by its place, and skips rows with nothing in any cell',
      'email,,\n,,\na@example.com,,\n,\nb@example.com,,x\n',
      [good(3, { email: 'a@example.com' }), good(5, { email: 'b@example.com' }, [['column 3', 'x']])],
    ],
    [
      'takes columns by the names they are said to have',
      'email,E-Mail,"Full, Name"\nno,a@example.com,A',
      [good(2, { ...a }, [['email', 'no']])],
      { email: 'E-Mail', name: 'Full, Name' },
    ],
    [
      'passes over what directories and spreadsheets write before the names of the columns',
      '#TYPE Selected.User\nversion:v1.0,,\nsep=,\nemail,name\na@example.com,A',
      [good(5, { ...a })],
    ],
    [
      'reports a row with more or fewer fields than columns',
      'email,name\na@example.com\nb@example.com,B,C\nc@example.com,C',
      [broken(2), broken(3), good(4, { ...c })],
    ],
    [
      'passes over lines of blanks, also before the names of the columns',
      '\n \nemail,name\n \na@example.com,A\n \t\n',
      [good(5, { ...a })],
    ],
    [
      'takes a quote within a field that has none around it as it is',
      'email,name\na@example.com,5" A',
      [good(2, { ...a, name: '5" A' })],
    ],
  ])('%s', async (_, file, rows, names) => {
    for (const pieceOf of [1, 1000]) expect(await csv(file, { names, pieceOf })).toEqual(rows)
  })

  it.each([
    ['no column has the address', 'name\nA', {}, 'columns', /^The first line names no column 'email'/],
    ['two columns have the address', 'email,Email\na,b', {}, 'columns', /^Two columns are named 'email'\./],
    ['the file is empty', '', {}, 'columns', /^The file is empty\./],
    ['there are only blank lines', '\n\n', {}, 'columns', /^The file is empty\./],
    ['the names of the columns cannot be read', 'em\0ail\na', {}, 'columns', /^The first line names the columns\. \w/],
    ['a quote in them does not end', 'email,"name\na', {}, 'columns', /no column 'email'/],
    ['a quote in them ends too early', 'email,"na"me\na', {}, 'columns', /no column 'email'/],
    ['a column is not there that is said to be', 'email\na', { name: 'Full Name' }, 'map', /no column 'Full Name'\./],
  ] as const)('refuses the file where %s', async (_, file, names, field, says) => {
    const error: unknown = await csv(file, { names }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(InvalidInput)
    expect(error).toMatchObject({ details: [{ field, message: expect.stringMatching(says) }] })
  })

  it.each([
    ['E-Mail;Name;;A', "no column 'email', but 'E-Mail', 'A'. Name it so"],
    ['a|b', "no column 'email', but 'a|b'. Name it so"],
    ['a,b,c,d,e,f,g,h', "'e', 'f' and 2 more. Name it so"],
  ])('says what there is if no column is the one that is needed: %s', async (line, part) => {
    const message = expect.stringContaining(part)
    await expect(csv(`${line}\na\n`)).rejects.toMatchObject({ details: [{ field: 'columns', message }] })
  })

  const decides = (name: string) => ['status', 'feed'].includes(name.trim())

  it.each<[title: string, file: string, rows: object[]]>([
    [
      'takes empty cells at the end of a row for what they are if they are missing',
      'email,name,notes,\na@example.com,A\n"b@example.com",B,\nc@example.com,C,x\n',
      [good(2, { ...a }, [['notes', '']]), good(3, { ...b }, [['notes', '']]), good(4, { ...c }, [['notes', 'x']])],
    ],
    [
      'reports a row that ends before a column that decides',
      'name,email,"status ",notes\nA\nB,b@example.com\nC,c@example.com,\n',
      [
        broken(2, "'status'"),
        broken(3, "'status'"),
        good(4, { ...c }, [
          ['status', ''],
          ['notes', ''],
        ]),
      ],
    ],
    ['reports a row without an address', 'name,email,notes\nA\n', [broken(2, "'email'")]],
    [
      'reports the rest of a row that a line end has broken in two before the address',
      'name,email,notes\nA\n\nB\n,,\nC,c@example.com,x\na@example.com,a@example.com,\n',
      [
        broken(2, "'email'"),
        broken(4, "'email'"),
        broken(6, 'line 4'),
        good(7, { ...a, name: 'a@example.com' }, [['notes', '']]),
      ],
    ],
    [
      'reports such a rest as one row if it has line ends in quotes',
      'name,email,notes\nA\nB,b@example.com,"x\n,c@example.com,"\n',
      [broken(2, "'email'"), broken(3, 'line 2')],
    ],
    ['reports a row with more fields than columns', 'email,name\na@example.com,A,\n', [broken(2)]],
    [
      'reports a last row that may have been cut off',
      'email,name\na@example.com,A\nb@example.co',
      [good(2, { ...a }), broken(3, 'cut off')],
    ],
    [
      'takes no line of a text whose quotes are wrong for a row',
      'email,name,notes\na@example.com,"A" or\nb@example.com\nto be called,"\nc@example.com,C,\n',
      [broken(2), broken(3, 'may belong to one before'), broken(4), good(5, { ...c }, [['notes', '']])],
    ],
    [
      'loses no short row to a wrong quote if those before were as short',
      'email,name,notes\na@example.com,A\nb"@example.com,"B"or\nc@example.com,C\n',
      [good(2, { ...a }, [['notes', '']]), broken(3), good(4, { ...c }, [['notes', '']])],
    ],
    [
      'takes a short row as it is again after a whole one',
      'email,name,notes\nb"@example.com,"B"or\nc@example.com,C,x\na@example.com,A\n',
      [broken(2), good(3, { ...c }, [['notes', 'x']]), good(4, { ...a }, [['notes', '']])],
    ],
  ])('%s', async (_, file, rows) => {
    for (const pieceOf of [1, 1000]) expect(await csv(file, { decides, pieceOf })).toEqual(rows)
  })

  it('reads quoted fields with separators, quotes and line ends in them', async () => {
    const file = 'email,name\na@example.com,"A, ""the"" first\n\nof all"\n"b@example.com",B\n'
    const rows = [good(2, { ...a, name: 'A, "the" first\n\nof all' }), good(5, { ...b })]
    for (const pieceOf of [1, 7, 1000]) expect(await csv(file, { pieceOf })).toEqual(rows)
  })

  it('loses no row to a quote that is not closed, or closed too early, in the one before', async () => {
    for (const bad of ['a@example.com,"A', '"a"@example.com,A', '"a@example.com,A']) {
      const rows = await csv(`email,name\n${bad}\nb@example.com,B\nc@example.com,C\n`)
      expect(rows).toEqual([broken(2), good(3, { ...b }), good(4, { ...c })])
    }
  })
})

describe('the writing of files', () => {
  const written = (format: 'csv' | 'ndjson') => {
    const { head, text } = recordWriter(format, FIELDS)
    return head + text(RECORDS.slice(0, 1)) + text([]) + text(RECORDS.slice(1))
  }

  it('gives NDJSON that reads as it was', async () => {
    const [first = {}, second = {}] = RECORDS
    expect(await ndjson(written('ndjson'))).toEqual([good(1, first), good(2, second)])
  })

  it('gives CSV that reads as it was, objects as JSON', async () => {
    const file = written('csv')
    expect(file.split('\r\n', 1)).toEqual(['email,name,feed,consent'])
    expect((await csv(file)).map((row) => 'fields' in row && row.fields)).toEqual([
      { email: 'a@example.com', name: 'A, "the" first\nof all', consent: '[{"count":1}]' },
      { email: 'b@example.com', name: ' 👩🏽‍🚀;', feed: 'news', consent: '[]' },
    ])
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', '＋1', '－1', '＠SUM(A1)', '﹦1', '\t=1', '\r=1', '\n=1'])(
    'puts an apostrophe before %j in CSV, which no spreadsheet takes for a formula then',
    async (name) => {
      const { head, text } = recordWriter('csv', ['email', 'name'])
      const row = text([{ email: 'a@example.com', name }])
      expect(row.slice('a@example.com,'.length)).toMatch(/^"?'/)
      if (name.includes('\r')) return
      expect(await csv(head + row)).toEqual([{ ...good(2, { email: 'a@example.com', name }), disguised: ['name'] }])
    },
  )

  it.each([
    [';=1+1', "';'=1+1"],
    ['; ;=1+1', "'; ;'=1+1"],
    ['Ada; =1+1', "Ada;' =1+1"],
    ['Ada;＝1+1', "Ada;'＝1+1"],
    ['Ada\n-1', "Ada\n'-1"],
    ['Ada;"@SUM(A1)"', `Ada;'"@SUM(A1)"`],
    ['Ada; or Eve = both', 'Ada; or Eve = both'],
  ])('leaves no formula in %j, also where a spreadsheet divides rows at semicolons or line ends', (name, cell) => {
    const row = recordWriter('csv', ['email', 'name']).text([{ email: 'a@example.com', name }])
    expect(row.trimEnd()).toBe(`a@example.com,${/[;"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell}`)
  })

  it('leaves no formula in a cell of JSON either, which reads as it was', () => {
    const value = [{ text: 'yes;=1+1', also: 'no; ＝"x"', and: ';"=1"' }]
    const row = recordWriter('csv', ['consent']).text([{ consent: value }])
    expect(row).not.toMatch(/[;\n][ "\\]*[=+\-@＝]/)
    expect(JSON.parse(row.trimEnd().slice(1, -1).replaceAll('""', '"'))).toEqual(value)
  })

  it('leaves none to a spreadsheet that divides rows at commas where cells are separated by semicolons', async () => {
    const { head, text } = recordWriter('csv', ['email', 'name', 'consent'], { separator: ';' })
    const value = ['=1', ' "=1', 'yes, =1+1', 'a,-1', { '@a': -1, b: [2, -3] }]
    const row = text([{ email: 'a@example.com', name: 'Ada, =1+1', consent: value }])
    expect(row).not.toMatch(/[,;\n][ "\\]*[=+@＝]|,[ "\\]*-1"/)
    const [read] = await csv(head + row)
    expect(row).toContain(`"Ada,' =1+1"`)
    expect(read).toMatchObject({ fields: { email: 'a@example.com', name: 'Ada, =1+1' } })
    expect(JSON.parse(String(read && 'fields' in read && read.fields.consent))).toEqual(value)
  })

  // What makes formulas, ends cells, hides formulas, and comes before them unseen.
  const nasty = fc.string({
    unit: fc.constantFrom(
      "'",
      ',',
      ';',
      '"',
      '=',
      '-',
      '@',
      '＋',
      ' ',
      '\t',
      '\n',
      '\u200b',
      '\\',
      '[',
      'a',
      '1',
      '.',
      '😀',
    ),
    maxLength: 12,
  })
  const begun = fc.tuple(fc.constantFrom('', '="', "'=", ",'", ";'=", "\u200b'"), nasty).map((parts) => parts.join(''))
  const separators = [',', ';'] as const

  it.each(separators.flatMap((separator) => [false, true].map((excel) => ({ separator, excel }))))(
    'gives every text back: %j',
    async (how) => {
      const { head, text } = recordWriter('csv', ['email', 'name', 'consent'], how)
      await fc.assert(
        fc.asyncProperty(fc.array(begun, { minLength: 1, maxLength: 30 }), async (names) => {
          const records = names.map((name) => ({ email: 'a@example.com', name, consent: [{ [name]: name }] }))
          const file = head + text(records)
          for (const kept of [file, ...separators.map((to) => savedBySpreadsheet(file, how.separator, to))]) {
            const read = (await csv(kept)).map((row) => ('fields' in row ? row.fields : {}))
            expect(read.map(({ name = '' }) => name)).toEqual(names)
            expect(read.map(({ consent }) => JSON.parse(String(consent)))).toEqual(
              records.map(({ consent }) => consent),
            )
          }
        }),
        { numRuns: 100 },
      )
    },
  )

  it('writes numbers as numbers, negative ones too', () => {
    expect(recordWriter('csv', ['id']).text([{ id: -1 }])).toBe('-1\r\n')
  })

  it('gives Excel a byte order mark, and in a formula what it would change, which comes back as it was', async () => {
    const records = [
      { feed: 8_127_340_912_345_678, name: '=1+1', email: "'o@example.com" },
      { feed: 17, name: '0049 30', email: '+1@example.com' },
      { feed: 99_999_999_999, name: '"1-2"', email: '@example.com' },
      { feed: 100_000_000_000, name: '1-2', email: 'a,b' },
      { feed: 1, name: '="x"', email: '3.10' },
    ]
    const { head, text } = recordWriter('csv', ['feed', 'name', 'email'], { excel: true })
    const file = `${head}${text(records)}`
    expect(file.split('\r\n').slice(0, 3)).toEqual([
      '\ufefffeed,name,email',
      '"=""8127340912345678""","=""=1+1""",\'o@example.com',
      '17,0049 30,"=""+1@example.com"""',
    ])
    const expected = records.map((record, n) => good(n + 2, { ...record, feed: String(record.feed) }))
    expect(await csv(file)).toMatchObject(expected)
    // 2.5 is a day to Excel in half of Europe, and TRUE is another word there.
    expect(text([{ feed: 2.5, name: true, email: 3 }])).toBe('"=""2.5""","=""true""",3\r\n')
    // What a spreadsheet may read as another cell is not left to it.
    expect(text([{ feed: 1, name: '=a;=b', email: '' }])).toBe('1,"\'=a;\'=b",\r\n')
  })
})
