import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { traceDraw } from '../src/tracing/trace-draw.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

const drawn = (rate: number, times: readonly number[]) => {
  const begun = performance.now()
  const draw = traceDraw(rate)
  return times.filter((time) => {
    vi.advanceTimersByTime(begun + time - performance.now())
    return draw()
  })
}

const everyMillisecond = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

it('begins no more traces than the rate allows, and after a pause those of one second at once', () => {
  expect(drawn(10, Array(50).fill(0))).toHaveLength(10)
  expect(drawn(10, everyMillisecond(0, 10_000))).toHaveLength(10 + 99)
  const late = drawn(10, [...everyMillisecond(0, 1_000), ...Array(50).fill(60_000)])
  expect(late.filter((time) => time === 60_000)).toHaveLength(10)
})

it('begins every trace without a rate, and none at a rate of 0', () => {
  expect(drawn(Number.POSITIVE_INFINITY, Array(50).fill(0))).toHaveLength(50)
  expect(drawn(0, Array(50).fill(0))).toEqual([])
})

it('looks at no clock while the rate is used up', () => {
  const looks = vi.spyOn(performance, 'now')
  const draw = traceDraw(1)
  expect([draw(), draw(), draw(), draw()]).toEqual([true, false, false, false])
  expect(looks).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(1_000)
  expect([draw(), draw(), draw()]).toEqual([true, false, false])
  expect(looks).toHaveBeenCalledTimes(4)
})
