import { describe, expect, it } from 'vitest'
import { Output } from '../src/output.ts'
import { cellWidth, TablePrinter } from '../src/table-printer.ts'
import { Screen } from './terminal.ts'

const COLUMNS = [
  { head: 'ID', cell: ([id]: readonly string[]) => id ?? '' },
  { head: 'NAME', cell: ([, name]: readonly string[]) => name ?? '' },
]

const print = async (screen: Screen, pages: readonly (readonly (readonly string[])[])[], colour = false) => {
  const table = new TablePrinter(new Output(screen), COLUMNS, { colour })
  for (const page of pages) await table.print(page)
  return screen.text.trimEnd().split('\n')
}

describe('a table', () => {
  it('has its heads once, however many pages it has', async () => {
    expect(await print(new Screen(), [[['a', 'Ada']], [['b', 'Bob']]])).toEqual(['ID  NAME', 'a   Ada', 'b   Bob'])
  })

  it('is never cut where there is no terminal: a row is a line', async () => {
    const long = 'x'.repeat(300)
    expect(await print(new Screen({ columns: 40 }), [[[long, 'Ada']]])).toEqual([
      `ID${' '.repeat(298)}  NAME`,
      `${long}  Ada`,
    ])
  })

  it.each([20, 40, 80])('fits a terminal of %d columns and loses nothing', async (columns) => {
    const rows = [
      ['user-1', '日本語の名前はとても長いので折り返されなければなりません'],
      ['an-id-of-18-signs', 'Ada 👩‍👩‍👧 Lovelace of a long and winding name'],
    ]
    const lines = await print(new Screen({ isTTY: true, columns }), [rows, rows])
    expect(Math.max(...lines.map((line) => cellWidth(line)))).toBeLessThanOrEqual(columns)
    const text = lines.join('').replace(/ /g, '')
    expect([...'日本語の名前はとても長いので折り返されなければなりません'].every((sign) => text.includes(sign))).toBe(
      true,
    )
    expect(text).toContain('👩‍👩‍👧')
  })

  it('breaks no id, address or time: what does not fit beside them stands below', async () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
    const columns = ['ID', 'MAIL', 'NAME', 'SEEN'].map((head, at) => ({ head, cell: (row: string[]) => row[at] ?? '' }))
    const screen = new Screen({ isTTY: true, columns: 60 })
    const table = new TablePrinter(new Output(screen), columns, { colour: false })
    await table.print([[id, 'ada@example.com', 'Ada, Countess of Lovelace', '2026-01-01T00:00:00Z']])
    await table.print([[`${id}-and-a-tail-that-has-no-room`, 'b@example.com', 'Bob', '']])
    await table.print([['c', 'c@example.com', '', '']])
    expect(screen.text.trimEnd().split('\n')).toEqual([
      'ID                                    MAIL',
      '  NAME                       SEEN',
      `${id}  ada@example.com`,
      '  Ada, Countess of Lovelace  2026-01-01T00:00:00Z',
      `${id}-and-a-tail-that-has-no-room  b@example.com`,
      '  Bob',
      `c${' '.repeat(37)}c@example.com`,
    ])
  })

  it('breaks between words where they fit, and takes a terminal without a size for one of 80 columns', async () => {
    const sentence = 'This user is the last administrator. '.repeat(3).trim()
    expect(await print(new Screen({ isTTY: true, columns: 0 }), [[['ada', sentence]]])).toEqual([
      'ID   NAME',
      'ada  This user is the last administrator. This user is the last administrator.',
      '     This user is the last administrator.',
    ])
  })

  it('puts the lines of long cells beside one another, each column as wide as it is', async () => {
    const rows = [
      ['abcdef ghijkl', '한국 이름'],
      ['긴', 'n'],
    ]
    expect(await print(new Screen({ isTTY: true, columns: 16 }), [rows])).toEqual([
      'ID       NAME',
      'abcdef   한국',
      'ghijkl   이름',
      '긴       n',
    ])
  })

  it('loses nothing of a later page, though the first one had no more than a letter in a column', async () => {
    const screen = new Screen({ isTTY: true })
    const table = new TablePrinter(new Output(screen), COLUMNS, { colour: false })
    await table.print([['a', 'b']])
    await table.print([['日本', 'c']])
    expect(screen.text).toContain('日')
    expect(screen.text).toContain('本')
  })

  it('has bold heads where colour is wanted, and no escape sequence where it is not', async () => {
    expect((await print(new Screen(), [[['a', 'Ada']]], true))[0]).toBe(
      '\u001b[1mID\u001b[22m  \u001b[1mNAME\u001b[22m',
    )
    expect((await print(new Screen(), [[['a\u001b[31m', 'Ada']]])).join('')).not.toContain('\u001b')
  })
})

describe('the width of a text', () => {
  it.each([
    ['Latin', 'Ada', 3],
    ['an accent in parts', 'e\u0301', 1],
    ['Japanese', '日本語', 6],
    ['Korean', '한국', 4],
    ['Korean in parts', '한국'.normalize('NFD'), 4],
    ['Thai, whose marks take no column', 'ที่', 1],
    ['Arabic with vowels', 'سَّ', 1],
    ['a family of emoji', '👩‍👩‍👧', 2],
    ['a flag', '🇩🇪', 2],
    ['an emoji of a later Unicode', '🫠', 2],
    ['bold text', '\u001b[1mID\u001b[22m', 2],
  ])('counts columns: %s', (_, text, columns) => {
    expect(cellWidth(text)).toBe(columns)
  })
})
