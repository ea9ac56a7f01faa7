import { describe, expect, it } from 'vitest'
import { parseDuration } from '../src/index.ts'

describe('a duration', () => {
  it.each([
    ['0s', 0],
    ['90s', 90_000],
    ['15m', 900_000],
    ['1h', 3_600_000],
    ['7d', 604_800_000],
  ])('%s is %d milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  it.each(['', '1', 'h', '1y', '-1h', '1.5h', ' 1h', '1h ', '1H', '1h30m', '1e3s', '9999999999s', '١h'])(
    'is not %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined()
    },
  )
})
