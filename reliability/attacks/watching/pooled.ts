import { auc } from '../timing/auc.ts'

/** Observations of an address that a stranger makes before guessing. */
export const POOLED = 20

/** Observations in turn that are compared with one another: what else the machine does changes more slowly. */
const ALIKE = 50

/**
 * Values as places among those of the same time, from 0 to 1: neither the rare long wait nor a busy minute hides what the
 * others say. `values` are in order of time, of all states. Equal ones share their places.
 */
export const placesOf = (values: readonly number[]): number[] => {
  const places: number[] = []
  for (let from = 0; from < values.length; from += ALIKE) {
    const alike = values.slice(from, from + ALIKE)
    const sorted = alike.toSorted((one, other) => one - other)
    for (const value of alike) places.push((sorted.indexOf(value) + sorted.lastIndexOf(value) + 1) / (2 * alike.length))
  }
  return places
}

/** How well a stranger tells two states apart by the means of twenty observations of each address. */
export const pooledAuc = (some: readonly number[], others: readonly number[]): number =>
  auc(meansOf(some), meansOf(others))

const meansOf = (values: readonly number[]): number[] =>
  Array.from({ length: Math.floor(values.length / POOLED) }, (_, n) => {
    const some = values.slice(n * POOLED, (n + 1) * POOLED)
    return some.reduce((sum, value) => sum + value, 0) / POOLED
  })

const MOST_AUC = 0.65
/** Standard deviations: chance alone makes the worst of all pairs and signs pass them once in a hundred times. */
const CHANCE = 4

/** With few addresses chance alone passes the bound that many are held to. */
export const mostPooledAuc = (observations: number): number => {
  const addresses = Math.floor(observations / POOLED)
  return Math.max(MOST_AUC, 0.5 + CHANCE * Math.sqrt((2 * addresses + 1) / (12 * addresses * addresses)))
}
