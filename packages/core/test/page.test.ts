import { describe, expect, it } from 'vitest'
import { cursorOf, InvalidInput, MalformedRequest, stretchOf } from '../src/index.ts'

describe('a page of a list', () => {
  it('has 50 items from the beginning unless asked otherwise', () => {
    expect(stretchOf({})).toEqual({ after: 0, limit: 50 })
    expect(stretchOf({ cursor: undefined, limit: undefined })).toEqual({ after: 0, limit: 50 })
  })

  it('goes on where the cursor of the one before says', () => {
    expect(cursorOf(undefined)).toBeUndefined()
    for (const position of [1, 35, 36, 123_456_789, 36 ** 10 - 1])
      expect(stretchOf({ cursor: cursorOf(position) }).after).toBe(position)
  })

  it('refuses a cursor that no list gave out', () => {
    for (const cursor of ['', ' ', '-1', 'A', '1.5', 'zzzzzzzzzzz', '😀', '1\n', '__proto__'])
      expect(() => stretchOf({ cursor })).toThrow(MalformedRequest)
  })

  it('has from 1 to 200 items, as a number or as a text', () => {
    for (const limit of [1, 200, '1', '200', '050']) expect(stretchOf({ limit }).limit).toBe(Number(limit))
    for (const limit of [0, 201, 1.5, Number.NaN, Infinity, -1, '', '0', '201', '1000', '-1', '1e2', ' 5', '0x5', '٣'])
      expect(() => stretchOf({ limit })).toThrow(InvalidInput)
  })
})
