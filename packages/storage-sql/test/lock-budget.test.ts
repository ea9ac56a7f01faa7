import { expect, it } from 'vitest'
import { LockBudget } from '../src/sqlite/lock-budget.ts'

it('shrinks at once where the lock was held for too long, and grows by little', () => {
  const budget = new LockBudget(8, 8)
  expect(budget.forUnits).toBe(4)
  budget.note(16)
  expect(budget.forUnits).toBe(2)
  budget.note(1_000)
  expect(budget.forUnits).toBe(1)
  budget.note(0.1)
  expect(budget.forUnits).toBe(1.25)
})

it('settles where units and commit take together what they may', () => {
  const budget = new LockBudget(8, 8)
  for (let n = 0; n < 50; n++) budget.note(budget.forUnits * 1.5 + 1)
  expect(budget.forUnits * 1.5 + 1).toBeCloseTo(8)
})

it('never takes more for units than it may, however fast commits are', () => {
  const budget = new LockBudget(14, 8)
  for (let n = 0; n < 50; n++) budget.note(budget.forUnits)
  expect(budget.forUnits).toBe(8)
})
