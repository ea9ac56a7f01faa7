import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memberNames } from '../src/member-names.ts'

describe('the member names of a JSON object', () => {
  it.each([
    ['{}', []],
    ['{"a":1,"a":2}', ['a', 'a']],
    ['{"\\u0061":1,"a":2}', ['a', 'a']],
    ['{"a":{"b":1,"c":["d",{"e":2}]},"f":"g:{}[]\\"h\\""}', ['a', 'f']],
    [' { "a" : "b" ,\n"b"\t:"a"} ', ['a', 'b']],
    ['{"a\\\\":"\\\\"}', ['a\\']],
    ['{"a":[{"b":1,"c":{"b":1}},{"b":2}],"b":0}', ['a', 'b']],
    ['{"a":[{"b":1},{"b":1,"c":[],"b":2}],"d":0}', ['a', 'a', 'd']],
  ])('of %s are given with every repetition', (json, names) => {
    expect(memberNames(json)).toEqual(names)
  })

  it('are the keys of whatever JSON.stringify wrote', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        expect(memberNames(JSON.stringify(object, null, 2)).sort()).toEqual(Object.keys(object).sort())
      }),
    )
  })
})
