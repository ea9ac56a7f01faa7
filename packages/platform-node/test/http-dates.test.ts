import { describe, expect, it } from 'vitest'
import { formatHttpDate, parseHttpDate, parseRetryAfter } from '../src/index.ts'

describe('an HTTP date', () => {
  const at = Date.UTC(1994, 10, 6, 8, 49, 37)

  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'has the form %s',
    (text) => {
      expect(parseHttpDate(text)).toBe(at)
    },
  )

  it.each([
    '',
    '1',
    'tomorrow',
    '1994-11-06T08:49:37Z',
    'Sun, 99 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37',
    'Sunday, 06 Nov 94 08:49:37 GMT',
    'Mon, 30 Feb 2026 08:49:37 GMT',
    'Sun, 29 Feb 2026 08:49:37 GMT',
    'Tuesday, 31-Nov-26 08:49:37 GMT',
    'Tue Nov 31 08:49:37 2026',
    'Tue Nov  0 08:49:37 2026',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:60:37 GMT',
    'Sun, 06 Nox 1994 08:49:37 GMT',
    'Xyz, 06 Nov 1994 08:49:37 GMT',
  ])('is not %j', (text) => {
    expect(parseHttpDate(text)).toBeUndefined()
  })

  it('is written in whole seconds', () => {
    expect(formatHttpDate(at + 999)).toBe('Sun, 06 Nov 1994 08:49:37 GMT')
  })
})

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 21, 12, 0, 0)

  it.each([
    ['0', 0],
    [' 120 ', 120_000],
    ['Sat, 21 Nov 2026 12:00:05 GMT', 5_000],
    ['Saturday, 21-Nov-26 12:00:05 GMT', 5_000],
    ['Sat Nov 21 12:00:05 2026', 5_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ])('asks to wait: %s', (field, milliseconds) => {
    expect(parseRetryAfter(field, now)).toBe(milliseconds)
  })

  it.each([null, undefined, '', '-1', '1.5', '1e3', 'soon', '2026-11-21', '99999999999'])(
    'says nothing: %s',
    (field) => {
      expect(parseRetryAfter(field, now)).toBeUndefined()
    },
  )
})
