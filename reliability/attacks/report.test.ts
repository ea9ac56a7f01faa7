import { describe, expect, it } from 'vitest'
import { counted, type Figure } from './attack.ts'
import { readOptions } from './options.ts'
import { type AttackReport, isRepelled, printed } from './report.ts'

const figure = (value: number, bound: number | undefined): Figure => ({
  name: 'a wait',
  figure: value,
  bound,
  unit: 'ms',
})
const report = (...figures: readonly Figure[]): AttackReport => ({ attack: 'an-attack', store: 'sqlite', figures })

describe('the report of an attack', () => {
  it('says of each figure whether it keeps its bound', () => {
    const text = printed([report(figure(99.6, 100), figure(100.4, 100), figure(7, undefined))])
    expect(text.split('\n').slice(2)).toEqual([
      'an-attack  sqlite  a wait   99.6 ms  100 ms  ok',
      'an-attack  sqlite  a wait  100.4 ms  100 ms  NOT OK',
      'an-attack  sqlite  a wait      7 ms    none  ok',
    ])
  })

  it('explains what got through', () => {
    const text = printed([report(counted('accepted', 3, ['alg none', 'no kid']))])
    expect(text).toContain('accepted (3 variants)')
    expect(text).toContain('\n  alg none, no kid')
  })

  it('is good only where all is within its bounds, and something was measured', () => {
    expect(isRepelled(report(figure(100, 100), figure(7, undefined)))).toBe(true)
    expect(isRepelled(report(figure(1, 100), figure(101, 100)))).toBe(false)
    expect(isRepelled(report(figure(Number.NaN, 100)))).toBe(false)
    expect(isRepelled(report())).toBe(false)
    expect(isRepelled({ ...report(figure(1, 100)), failure: 'it did not start' })).toBe(false)
  })
})

describe('the options', () => {
  it('name attacks and stores', () => {
    expect(readOptions(['--only', 'tokens', '--only', 'trail', '--store', 'postgres', '--json'])).toEqual({
      ...{ only: ['tokens', 'trail'], stores: ['postgres'], samples: 2_000, fromSource: false, json: true },
    })
    expect(readOptions(['--help'])).toBeUndefined()
  })

  it.each([
    [['--only', 'nonsense'], "There is no attack 'nonsense'"],
    [['--store', 'files'], '--store must be'],
    [['--samples', 'many'], '--samples must be a whole number'],
    [['--often'], "Unknown option '--often'"],
  ])('%j are refused', (args, message) => {
    expect(() => readOptions(args)).toThrow(message)
  })
})
