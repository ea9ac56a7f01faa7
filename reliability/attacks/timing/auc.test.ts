import { expect, it } from 'vitest'
import { auc } from './auc.ts'
import { mostAuc } from './measure.ts'

it('says how well two lists of times can be told apart', () => {
  expect(auc([1, 2, 3], [4, 5, 6])).toBe(1)
  expect(auc([4, 5, 6], [1, 2, 3])).toBe(1)
  expect(auc([1, 4], [2, 3])).toBe(0.5)
  expect(auc([1, 1, 1], [1, 1])).toBe(0.5)
  expect(auc([1, 2], [2, 3])).toBe(0.875)
})

it('allows more where there are few samples, as chance does', () => {
  expect(mostAuc(2_000)).toBe(0.55)
  expect(mostAuc(100)).toBeCloseTo(0.643, 3)
})
