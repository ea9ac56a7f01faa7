import { describe, expect, it } from 'vitest'
import { idList } from '../src/bulk/id-list.ts'

const read = async (text: string, chunkSize = text.length): Promise<string[]> => {
  const bytes = new TextEncoder().encode(text)
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
  }
  const ids: string[] = []
  for await (const id of idList(chunks())) ids.push(id)
  return ids
}

describe('a list of ids', () => {
  it.each([
    ['one id a line', 'a\nb\n', ['a', 'b']],
    ['no line end at the end', 'a\nb', ['a', 'b']],
    ['CRLF line ends', 'a\r\nb\r\n', ['a', 'b']],
    ['a byte order mark', '\ufeffa\nb\n', ['a', 'b']],
    ['spaces around ids', '  a \n\tb\n', ['a', 'b']],
    ['blank lines', 'a\n\nb\n', ['a', '', 'b']],
    ['ids with commas and quotes after the first', 'a\nb,c\n"d"\n', ['a', 'b,c', '"d"']],
    ['nothing', '', []],
    ['CSV with an id column', 'name,id,x\nA,a,1\nB,b,2\n', ['a', 'b']],
    ['CSV with a byte order mark and CRLF', '\ufeffid,name\r\na,A\r\n', ['a']],
    ['CSV after a blank line', '\nid,name\na,A\n', ['', 'a']],
    ['CSV of one column', 'id\na\nb\n', ['a', 'b']],
    ['CSV that calls the column ID', 'Name,ID\nA,a\n', ['a']],
    ['CSV with semicolons', '"id";"name"\n"a";"A"\n', ['a']],
    ['CSV with tabs', 'name\tid\nA\ta\n', ['a']],
    ['CSV with quoted separators, quotes and line ends', 'name,id\n"A, ""B""\nC",a\n"D","b,""c"\n', ['a', 'b,"c']],
    ['CSV with an empty row, or an empty column', 'name,id\nA,\n\nB,b\n', ['', '', 'b']],
  ])('takes %s', async (_name, text, ids) => {
    expect(await read(text)).toEqual(ids)
  })

  it('reads the same however its bytes are cut into chunks', async () => {
    const text = '\ufeffname,id\r\n"Zoë, ""Z""\r\nß",zoe\r\n日本,b\r\n'
    for (let size = 1; size < 12; size++) expect(await read(text, size)).toEqual(['zoe', 'b'])
  })

  it.each([
    [
      'a row of more fields than columns: the id would be another',
      'name,id\nSmith, Brian,42\n',
      /^Line 2: .* 3 fields, .* 2\. Put/,
    ],
    ['a row of fewer fields than columns', 'name,id\nA,a\nSmith\n', /^Line 3: .* 1 fields/],
    ['two columns of that name', 'id,id\na,b\n', /^Line 1: Two columns/],
    ['columns none of which is an id', 'email,name\na@example.com,A\n', /^Line 1: .*none is named 'id'/],
    ['a quoted field that does not end', 'id,name\na,"A\nb,B\n', /^Line 3: A quoted field does not end\.$/],
    ['text after a closing quote', 'id,name\na,"A"x\n', /^Line 2: Something follows a closing quote\.$/],
    ['a list in UTF-16', 'a\n\0b\0\n', /^Line 2: It has a NUL byte, .* in UTF-16, save it as UTF-8\.$/],
    ['a NUL byte', 'a\nb\nc\0d\n', /^Line 3: It has a NUL byte, which no id has\. Take it out;/],
    ['a line that is far too long', `a\n${'x'.repeat(100_000)}`, /^Line 2: A line is too long to hold an id\.$/],
    ['a first line that is far too long', 'x'.repeat(100_000), /^Line 1: A line is too long to hold an id\.$/],
    ['a quoted field that is far too long', `id\n"${'x\n'.repeat(50_000)}`, /A quoted field does not end\.$/],
  ])('refuses %s and says in which line', async (_name, text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  })
})

describe('a list of ids with a column that may say who is meant', () => {
  it.each(['status', 'active', 'keep', 'Delete?', 'action', 'left_on', 'suspended', 'is employed'])(
    'is refused with %s, unless that is ignored by name',
    async (column) => {
      const list = `id,${column}\na,yes\nb,no\n`
      await expect(read(list)).rejects.toThrow(`'${column}'`)
      const chunks = (async function* () {
        yield list
      })()
      const others: string[] = []
      const ids: string[] = []
      for await (const id of idList(chunks, {
        ignored: [column],
        onOthers: async (names) => void others.push(...names),
      }))
        ids.push(id)
      expect([ids, others]).toEqual([['a', 'b'], [column]])
    },
  )
})
