import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SharedUnit } from '../../src/postgres/shared-commits/shared-unit.ts'
import { WaitingUnits } from '../../src/postgres/shared-commits/waiting-units.ts'

const MOST = 64
const unit = {} as SharedUnit

const waitingFor = (patience: number) => {
  const waiting = new WaitingUnits(patience)
  let gathered: number | undefined
  return {
    waiting,
    add: (count: number) => {
      for (let n = 0; n < count; n++) waiting.add(unit)
    },
    gather: (enough: number) => {
      gathered = undefined
      void waiting
        .gather(enough, () => MOST)
        .then(({ length }) => {
          gathered = length
        })
    },
    /** How many the batch has; undefined where it waits. */
    gathered: async () => {
      for (let turn = 0; turn < 3; turn++) await nextTurnOfTheLoop()
      return gathered
    },
  }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

it('begin a batch at once where there are enough', async () => {
  const { add, gather, gathered } = waitingFor(3)
  add(1)
  gather(1)
  expect(await gathered()).toBe(1)
  gather(1)
  add(1)
  expect(await gathered()).toBe(1)
})

it('wait until there are enough', async () => {
  const { add, gather, gathered } = waitingFor(3)
  add(4)
  gather(8)
  add(3)
  expect(await gathered()).toBeUndefined()
  add(1)
  expect(await gathered()).toBe(8)
})

it('wait for a moment only', async () => {
  const { add, gather, gathered } = waitingFor(3)
  add(2)
  gather(40)
  expect(await gathered()).toBeUndefined()
  vi.advanceTimersByTime(3)
  expect(await gathered()).toBe(2)
})

it('leave what a batch does not take', async () => {
  const { waiting, add, gather, gathered } = waitingFor(3)
  add(70)
  gather(52)
  expect(await gathered()).toBe(MOST)
  expect(waiting.count).toBe(6)
})
