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
    gather: () => {
      gathered = undefined
      void waiting
        .gather(() => MOST)
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

it('begin a batch at once where no more are expected', async () => {
  const { waiting, add, gather, gathered } = waitingFor(3)
  add(1)
  gather()
  expect(await gathered()).toBe(1)
  waiting.expect(1, MOST)
  add(1)
  gather()
  expect(await gathered()).toBe(1)
})

it('wait for most of those that were answered, and of those that waited meanwhile', async () => {
  const { waiting, add, gather, gathered } = waitingFor(3)
  add(4)
  waiting.expect(6, MOST)
  gather()
  add(3)
  expect(await gathered()).toBeUndefined()
  add(1)
  expect(await gathered()).toBe(8)
})

it('wait for a moment only', async () => {
  const { waiting, add, gather, gathered } = waitingFor(3)
  waiting.expect(50, MOST)
  add(2)
  gather()
  expect(await gathered()).toBeUndefined()
  vi.advanceTimersByTime(3)
  expect(await gathered()).toBe(2)
})

it('never wait for more than a batch takes, and leave the rest', async () => {
  const { waiting, add, gather, gathered } = waitingFor(3)
  waiting.expect(500, MOST)
  add(70)
  gather()
  expect(await gathered()).toBe(MOST)
  expect(waiting.count).toBe(6)
})

it('do not wait where there is no patience', async () => {
  const { waiting, add, gather, gathered } = waitingFor(0)
  waiting.expect(50, MOST)
  add(2)
  gather()
  expect(await gathered()).toBe(2)
})
