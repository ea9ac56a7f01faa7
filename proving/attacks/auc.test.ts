import { expect, it } from 'vitest'
import { Random } from '../shared/random.ts'
import { auc, mostPooledAuc, placesOf, pooledAuc } from './auc.ts'

it.each([
  [[1, 2, 3], [4, 5, 6], 1],
  [[4, 5, 6], [1, 2, 3], 1],
  [[1, 4], [2, 3], 0.5],
  [[1, 1, 1], [1, 1], 0.5],
  [[1, 2], [2, 3], 0.875],
])('says of %j and %j how well they can be told apart: %d', (some, others, value) => {
  expect(auc(some, others)).toBe(value)
})

/** Observations of two states in any order, on a machine that is ten times slower half of the time. */
const observed = (seed: number, shift: number, odd: (n: number) => number | undefined = () => undefined) => {
  const random = new Random(seed)
  const states = Array.from({ length: 4_000 }, () => random.fraction() < 0.5)
  const values = states.map((isOther, n) => {
    const slow = Math.floor(n / 400) % 2 === 0 ? 10 : 1
    return odd(n) ?? slow * (1 + random.fraction() + (isOther ? shift : 0))
  })
  const of = (from: readonly number[]) => [false, true].map((wanted) => from.filter((_, n) => states[n] === wanted))
  return { single: of(values), places: of(placesOf(values)) }
}

it('sees in twenty observations what hardly shows in one', () => {
  const { single, places } = observed(1, 0.07)
  expect(auc(single[0] ?? [], single[1] ?? [])).toBeLessThan(0.56)
  expect(pooledAuc(places[0] ?? [], places[1] ?? [])).toBeGreaterThan(0.75)
})

it('sees nothing if there is nothing, also if some values are far out or missing', () => {
  const odd = (n: number) => (n % 97 === 0 ? 1e6 : n % 89 === 0 ? Number.POSITIVE_INFINITY : undefined)
  const { places } = observed(2, 0, odd)
  expect(pooledAuc(places[0] ?? [], places[1] ?? [])).toBeLessThan(mostPooledAuc(2_000))
})

it('allows more with few addresses, as chance does', () => {
  expect(mostPooledAuc(4_000)).toBe(0.65)
  expect(mostPooledAuc(400)).toBeGreaterThan(0.8)
})
