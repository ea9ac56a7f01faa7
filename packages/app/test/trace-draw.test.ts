import { expect, it } from 'vitest'
import { traceDraw } from '../src/tracing/trace-draw.ts'

const drawn = (rate: number, times: readonly number[]) => {
  let now = 0
  let alarm: { readonly at: number; readonly call: () => void } | undefined
  const later = (call: () => void, milliseconds: number) => {
    alarm = { at: now + milliseconds, call }
  }
  const draw = traceDraw(rate, { now: () => now, later })
  return times.filter((time) => {
    now = time
    if (alarm !== undefined && alarm.at <= now) alarm.call()
    return draw()
  })
}

const everyMillisecond = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

it('begins no more traces than the rate allows, and after a pause those of one second at once', () => {
  expect(
    drawn(
      10,
      Array.from({ length: 50 }, () => 0),
    ),
  ).toHaveLength(10)
  expect(drawn(10, everyMillisecond(0, 10_000))).toHaveLength(10 + 99)
  const late = drawn(10, [...everyMillisecond(0, 1_000), ...Array.from({ length: 50 }, () => 60_000)])
  expect(late.filter((time) => time === 60_000)).toHaveLength(10)
})

it('begins every trace without a rate, and none at a rate of 0', () => {
  const times = Array.from({ length: 50 }, () => 0)
  expect(drawn(Number.POSITIVE_INFINITY, times)).toHaveLength(50)
  expect(drawn(0, times)).toEqual([])
})

it('looks at no clock while the rate is used up', () => {
  let looked = 0
  const alarms: (() => void)[] = []
  const now = () => {
    looked++
    return 0
  }
  const draw = traceDraw(1, { now, later: (call) => void alarms.push(call) })
  expect([draw(), draw(), draw(), draw()]).toEqual([true, false, false, false])
  expect([looked, alarms.length]).toEqual([2, 1])
  alarms[0]?.()
  expect([draw(), draw()]).toEqual([false, false])
  expect([looked, alarms.length]).toEqual([3, 2])
})
