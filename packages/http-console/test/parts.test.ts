import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { InvalidInput } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { readTexts, SHIPPED_TEXTS, TextsNotUsable } from '../src/index.ts'
import { idsIn } from '../src/parts/id-list.ts'
import { SCRIPT } from '../src/script.ts'

describe('a list of ids', () => {
  it.each([
    ['one a line, with empty lines and spaces', ' a \n\n b\n', '1:a 3:b'],
    ['with the line ends of any system', 'a\r\nb\rc', '1:a 2:b 3:c'],
    ['with a byte order mark', '\ufeffa', '1:a'],
    ['of a CSV file', 'name,ID\r\n"A, ""B""",1\r\nC,2', '2:1 3:2'],
    ['of a CSV file of a spreadsheet', 'id;name\n1;x\n', '2:1'],
    ['of a table', 'name\tid\nx\t1', '2:1'],
    ['of a column alone', 'id\n1\n2', '2:1 3:2'],
    ['with a row without an id', 'name,id\nA,\n', '2:'],
    ['with a row of several lines', '\nname,id\n"A\n\n7",1\nB,2\n', '3:1 6:2'],
    ['that is empty', ' \n', ''],
  ])('%s', (_, text, rows) => {
    const found = idsIn(text).map(({ line, userId }) => `${line}:${userId}`)
    expect(found.join(' ')).toBe(rows)
  })

  it.each([
    ['a row that does not end', 'name,id\n"open', /^Line 2: A quoted field does not end/],
    ['a row with an extra separator', 'name,id\nSmith, Brian,42', /^Line 2: This row has 3 fields/],
    ['two columns of ids', 'id,ID\na,b', /^Line 1: Two columns/],
    ['a NUL byte', 'a\nb\0\n', /^Line 2: It has a NUL byte/],
    ['columns none of which is an id', 'email,name\na@example.com,A', /^Line 1: This looks like columns/],
  ])('is refused with %s', (_, text, message) => {
    const details = [{ field: 'ids', message: expect.stringMatching(message) }]
    expect(() => idsIn(text)).toThrow(expect.objectContaining({ details }))
  })

  it.each(['status', 'keep', 'Active', 'toKeep'])('is refused with a column %s, unless that is ignored', (column) => {
    expect(() => idsIn(`id,${column}\na,\n`)).toThrow(InvalidInput)
    expect(idsIn(`login,${column}\na,\n`, { column: 'Login', ignored: [column.toUpperCase()] })).toEqual([
      { line: 2, userId: 'a' },
    ])
  })
})

describe('texts of a deployer', () => {
  const read = async (content: string) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-texts-'))
    const file = path.join(folder, 'console.json')
    await writeFile(file, content)
    try {
      return readTexts(file)
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  it('replace those that they name', async () => {
    const texts = await read('{"find":{"title":"Suchen"}}')
    expect(texts.find).toEqual({ ...SHIPPED_TEXTS.find, title: 'Suchen' })
    expect(texts.nav).toEqual(SHIPPED_TEXTS.nav)
  })

  it.each([
    '{',
    '[]',
    '{"find":1}',
    '{"find":{"title":""}}',
    '{"find":{"title":"{email}"}}',
    '{"nothing":"x"}',
    '{"find":{"other":"x"}}',
  ])('are refused where they are %s', async (content) => {
    await expect(read(content)).rejects.toThrow(TextsNotUsable)
  })
})

it('has a script of at most 8 KB', () => {
  expect(Buffer.byteLength(SCRIPT)).toBeLessThan(8 * 1024)
})
