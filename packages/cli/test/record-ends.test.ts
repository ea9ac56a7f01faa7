import { expect, it } from 'vitest'
import { RecordEnds } from '../src/transfer/record-ends.ts'

/** The records, as they come when every byte is a piece of its own; what is left at the end is none. */
const recordsIn = (text: string, { format = 'csv', encoding = 'utf8' as BufferEncoding } = {}) => {
  const ends = new RecordEnds(format)
  const records: string[] = []
  let held = Buffer.alloc(0)
  for (const byte of Buffer.from(text, encoding)) {
    held = Buffer.concat([held, Buffer.from([byte])])
    if (ends.take(Buffer.from([byte])) === 0) continue
    records.push(held.toString(encoding))
    held = Buffer.alloc(0)
  }
  return { records: records.filter((record) => record !== '\n'), count: ends.records }
}

it.each<[string, string, readonly string[]]>([
  ['lines', 'a,b\n1,2\n3', ['a,b\n', '1,2\n']],
  ['a quoted line end', 'a,b\n"1\n2",3\n4,5\n', ['a,b\n', '"1\n2",3\n', '4,5\n']],
  ['quoted marks', 'a\n"1 ""x"" \n2"\n3\n', ['a\n', '"1 ""x"" \n2"\n', '3\n']],
  ['an empty quoted field', 'a,b\n"",1\n', ['a,b\n', '"",1\n']],
  ['a mark within a field', 'a,b\n12" Vinyl,1\n2,3\n', ['a,b\n', '12" Vinyl,1\n', '2,3\n']],
  ['semicolons and tabs', 'a;"b\nc"\t"d\n"\n', ['a;"b\nc"\t"d\n"\n']],
  ['lines that end in a carriage return and a line feed', 'a,b\r\n1,2\r\n', ['a,b\r', '1,2\r']],
  ['lines that end in a carriage return', 'a,b\r1,2\r3,4', ['a,b\r', '1,2\r']],
  ['a byte-order mark', '\ufeff"a\nb",c\n1,2\n', ['\ufeff"a\nb",c\n', '1,2\n']],
])('a record of CSV ends behind %s', (_, text, records) => {
  expect(recordsIn(text)).toEqual({ records, count: records.length - 1 })
})

it('a record is whole in UTF-16, too, and is a line where there are no marks', () => {
  expect(recordsIn('a,b\n"1\n2",3\n', { encoding: 'utf16le' }).count).toBe(1)
  expect(recordsIn('{"a":"\\"}\n{"b":1}\r\n', { format: 'ndjson' })).toMatchObject({ count: 2 })
})
