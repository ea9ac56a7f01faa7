import { expect, it } from 'vitest'
import { Batches, type Outcome } from '../src/batches.ts'
import { Unavailable } from '../src/index.ts'

const open = ({ most = 3, atOnce = 1, fail = (_: readonly number[]): void => undefined } = {}) => {
  const batches: (readonly number[])[] = []
  const gates: (() => void)[] = []
  const work = async (items: readonly number[]): Promise<readonly Outcome<number>[]> => {
    batches.push(items)
    await new Promise<void>((resolve) => gates.push(resolve))
    fail(items)
    return items.map((item) => (item < 0 ? { error: new RangeError(`${item}`) } : { value: item * 10 }))
  }
  const queue = new Batches(work, { most, atOnce })
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) {
      for (const open of gates.splice(0)) open()
      await new Promise((resolve) => setTimeout(resolve))
    }
  }
  return { batches, settle, run: (item: number) => queue.run(item) }
}

it('works at once on what comes alone, and on what came meanwhile as a set', async () => {
  const { batches, settle, run } = open()
  const first = run(1)
  await new Promise((resolve) => setTimeout(resolve))
  const others = [2, 3, 4, 5].map(run)
  await settle()
  expect([await first, await Promise.all(others)]).toEqual([10, [20, 30, 40, 50]])
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
})

it('works on as many batches at the same time as it may', async () => {
  const { batches, settle, run } = open({ most: 1, atOnce: 2 })
  const all = [1, 2, 3].map(run)
  await new Promise((resolve) => setTimeout(resolve))
  expect(batches).toEqual([[1], [2]])
  await settle()
  expect(await Promise.all(all)).toEqual([10, 20, 30])
})

it('refuses one without the others', async () => {
  const { settle, run } = open()
  const all = Promise.allSettled([1, -2, 3].map(run))
  await settle()
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

it('does a batch that fails again item by item, so that the others are done', async () => {
  const fail = (items: readonly number[]) => {
    if (items.includes(2)) throw new TypeError('two')
  }
  const { batches, settle, run } = open({ fail })
  const all = Promise.allSettled([1, 2, 3].map(run))
  await settle()
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(batches).toEqual([[1, 2, 3], [1], [2], [3]])
})

it('does not try again while storage is down', async () => {
  const fail = () => {
    throw new Unavailable()
  }
  const { batches, settle, run } = open({ fail })
  const all = Promise.allSettled([1, 2].map(run))
  await settle()
  expect((await all).every(({ status }) => status === 'rejected')).toBe(true)
  expect(batches).toHaveLength(1)
})
