import { expect, it } from 'vitest'
import { counted, isGood, printed, type Row, reported } from './report.ts'

const row = (found: number, bound: number | undefined): Row => ({ figure: 'a wait', found, bound, unit: 'ms' })
const report = (...rows: readonly Row[]) => ({ name: 'one', store: 'sqlite', rows })

it('says of each row whether it keeps its bound, and explains what got through', () => {
  const text = printed([report(row(99.6, 100), row(100.4, 100), row(7, undefined), counted('taken', 3, ['a', 'b']))])
  expect(text.split('\n').slice(2)).toEqual([
    'one   sqlite  a wait               99.6 ms  100 ms  ok',
    'one   sqlite  a wait              100.4 ms  100 ms  NOT OK',
    'one   sqlite  a wait                  7 ms    none  ok',
    'one   sqlite  taken (3 variants)         2       0  NOT OK',
    '',
    'one, sqlite, taken (3 variants):',
    '  a, b',
  ])
})

it('is good only if all is within its bounds, something was measured, and nothing failed', async () => {
  expect(isGood(report(row(100, 100), row(7, undefined)))).toBe(true)
  expect(isGood(report(row(1, 100), row(101, 100)))).toBe(false)
  expect(isGood(report(row(Number.NaN, 100)))).toBe(false)
  expect(isGood(report())).toBe(false)
  const failed = await reported('one', 'sqlite', () => Promise.reject(new Error('it did not start')))
  expect([isGood(failed), printed([failed]).includes('it did not start')]).toEqual([false, true])
})
