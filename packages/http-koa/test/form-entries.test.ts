import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formEntries } from '../src/reading/fields.ts'
import { vectors } from './support/vectors.ts'

const binary = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
const read = (text: string): [string, string][] => [...formEntries(binary(text))]

interface Vector {
  readonly input: string
  readonly output: [string, string][]
}

describe('parsing a form', () => {
  it('matches every vector of the web platform tests', () => {
    for (const { input, output } of vectors<Vector>('wpt.urlencoded-parser-data.json'))
      expect([input, read(input)]).toEqual([input, output])
  })

  it.each<[input: string, ...namesAndValues: string[]]>([
    ['?a=1', '?a', '1'],
    ['a=b=c&&=d&e', 'a', 'b=c', '', 'd', 'e', ''],
    ['a+b=c+d%2B', 'a b', 'c d+'],
    ['a=%zz%4&b=%FF', 'a', '%zz%4', 'b', '\ufffd'],
    ['a[b]=1&a.b=2&__proto__=3', 'a[b]', '1', 'a.b', '2', '__proto__', '3'],
    ['a=%EF%BB%BFx', 'a', '\ufeffx'],
    ['a=1&a=2', 'a', '1', 'a', '2'],
  ])('reads %s flat and in order', (input, ...output) => {
    expect(read(input).flat()).toEqual(output)
  })

  it('decodes a character with one escaped and one plain byte', () => {
    expect([...formEntries('a=%C3\u00a9')]).toEqual([['a', 'é']])
  })

  it('returns the entries that a browser has sent', () => {
    const word = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed())
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word)), (entries) => {
        expect(read(new URLSearchParams(entries).toString())).toEqual(entries)
      }),
    )
  })

  it('accepts any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        for (const [name, value] of formEntries(Buffer.from(bytes).toString('latin1')))
          expect(`${name}${value}`.isWellFormed()).toBe(true)
      }),
    )
  })
})
