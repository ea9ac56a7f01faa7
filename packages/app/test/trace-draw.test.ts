import { expect, it } from 'vitest'
import { traceDraw } from '../src/tracing/trace-draw.ts'

const drawn = (limits: { ratio: number; rate: number }, times: readonly number[], random = () => 0) => {
  let now = 0
  let alarm: { readonly at: number; readonly call: () => void } | undefined
  const later = (call: () => void, milliseconds: number) => {
    alarm = { at: now + milliseconds, call }
  }
  const draw = traceDraw(limits, { now: () => now, later }, random)
  return times.filter((time) => {
    now = time
    if (alarm !== undefined && alarm.at <= now) alarm.call()
    return draw()
  })
}

const everyMillisecond = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

it('begins no more traces than the rate allows, and after a pause those of one second at once', () => {
  const limits = { ratio: 1, rate: 10 }
  expect(
    drawn(
      limits,
      Array.from({ length: 50 }, () => 0),
    ),
  ).toHaveLength(10)
  expect(drawn(limits, everyMillisecond(0, 10_000))).toHaveLength(10 + 99)
  const late = drawn(limits, [...everyMillisecond(0, 1_000), ...Array.from({ length: 50 }, () => 60_000)])
  expect(late.filter((time) => time === 60_000)).toHaveLength(10)
})

it('begins every trace without a rate, and none with a ratio of 0', () => {
  const times = Array.from({ length: 50 }, () => 0)
  expect(drawn({ ratio: 1, rate: Number.POSITIVE_INFINITY }, times)).toHaveLength(50)
  expect(drawn({ ratio: 0, rate: Number.POSITIVE_INFINITY }, times)).toEqual([])
})

it('takes the share first, so that a trace that is not drawn uses nothing up', () => {
  let n = 0
  const everyOther = () => (n++ % 2 === 0 ? 0 : 0.9)
  expect(
    drawn(
      { ratio: 0.5, rate: 10 },
      Array.from({ length: 40 }, () => 0),
      everyOther,
    ),
  ).toHaveLength(10)
})

it('looks at no clock while the rate is used up', () => {
  let looked = 0
  const alarms: (() => void)[] = []
  const now = () => {
    looked++
    return 0
  }
  const draw = traceDraw({ ratio: 1, rate: 1 }, { now, later: (call) => void alarms.push(call) })
  expect([draw(), draw(), draw(), draw()]).toEqual([true, false, false, false])
  expect([looked, alarms.length]).toEqual([2, 1])
  alarms[0]?.()
  expect([draw(), draw()]).toEqual([false, false])
  expect([looked, alarms.length]).toEqual([3, 2])
})
