import { describe, expect, it } from 'vitest'
import { duration } from '../src/options.ts'

describe('a duration', () => {
  it.each([
    ['0s', 0],
    ['90s', 90],
    ['15m', 900],
    ['1h', 3_600],
    ['7d', 604_800],
  ])('%s is %d seconds', (text, seconds) => {
    expect(duration(text)).toBe(seconds)
  })

  it.each(['', '1', 'h', '1y', '-1h', '1.5h', ' 1h', '1h ', '1H', '1h30m', '1e3s', '9999999999s', '١h'])(
    'is not %j',
    (text) => {
      expect(() => duration(text)).toThrow('Give a duration such as 90s')
    },
  )
})
