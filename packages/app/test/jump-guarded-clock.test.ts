import { expect, it, onTestFinished, vi } from 'vitest'
import { JumpGuardedClock } from '../src/platform/jump-guarded-clock.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const YEAR = 365 * 24 * HOUR
const START = Date.UTC(2026, 0, 1)

const setUp = () => {
  let wall = START
  let elapsed = 5_000.25
  const clockOfNode = vi.spyOn(performance, 'now').mockImplementation(() => elapsed)
  onTestFinished(() => clockOfNode.mockRestore())
  const warnings: string[] = []
  const log = { warn: (_fields: object | string, message?: string) => warnings.push(message ?? '') }
  const clock = new JumpGuardedClock({ now: () => wall }, log)
  const pass = (milliseconds: number) => {
    wall += milliseconds
    elapsed += milliseconds
    return clock.now()
  }
  const jump = (milliseconds: number) => {
    wall += milliseconds
    return clock.now()
  }
  return { clock, pass, jump, warnings, since: () => Math.round(clock.now() - START) }
}

it('follows the clock, in whole milliseconds, and its small corrections', () => {
  const { clock, pass, jump, since, warnings } = setUp()
  expect(Number.isInteger(clock.now())).toBe(true)
  pass(HOUR)
  expect(since()).toBe(HOUR)
  jump(2_000)
  jump(-1_000)
  expect(since()).toBe(HOUR + 1_000)
  expect(warnings).toEqual([])
})

it.each([
  ['an hour', HOUR],
  ['a year', YEAR],
])('goes on as before where the clock jumps ahead by %s, and nothing has happened once it is set back', (_, leap) => {
  const { pass, jump, since, warnings } = setUp()
  jump(leap)
  expect(since()).toBe(0)
  for (let minute = 0; minute < 30; minute++) pass(MINUTE)
  expect(since()).toBe(30 * MINUTE)
  expect(warnings).toHaveLength(1)
  jump(-leap)
  pass(MINUTE)
  expect(since()).toBe(31 * MINUTE)
})

it('believes a new time that has held for an hour, and says so', () => {
  const { pass, jump, since, warnings } = setUp()
  jump(YEAR)
  pass(59 * MINUTE)
  expect(since()).toBe(59 * MINUTE)
  pass(MINUTE)
  expect(since()).toBe(YEAR + HOUR)
  expect(warnings).toHaveLength(2)
})

it('restarts the hour with every further jump', () => {
  const { pass, jump, since } = setUp()
  jump(YEAR)
  pass(50 * MINUTE)
  jump(YEAR)
  pass(50 * MINUTE)
  expect(since()).toBe(100 * MINUTE)
  pass(10 * MINUTE)
  expect(since()).toBe(2 * YEAR + 110 * MINUTE)
})

it('counts how often the clock is set back, from a time that was believed or not', () => {
  const { clock, jump } = setUp()
  jump(YEAR)
  expect(clock.setBacks).toBe(0)
  jump(-HOUR)
  expect(clock.setBacks).toBe(1)
  jump(HOUR - YEAR)
  expect(clock.setBacks).toBe(2)
  jump(-HOUR)
  expect(clock.setBacks).toBe(3)
})

it('goes back with the clock at once', () => {
  const { jump, since, warnings } = setUp()
  jump(-YEAR)
  expect(since()).toBe(-YEAR)
  expect(warnings).toEqual(['the clock was set back'])
})
