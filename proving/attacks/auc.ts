/**
 * The chance that a value of one list is greater than one of the other (ties count half): what a stranger who compares
 * them gets right, of two outcomes that are equally likely. 0.5 is guessing, 1 is knowing; which is greater does not
 * matter.
 */
export const auc = (some: readonly number[], others: readonly number[]): number => {
  const all = [...some.map((value) => ({ value, own: true })), ...others.map((value) => ({ value, own: false }))]
  all.sort((one, other) => one.value - other.value)
  let ranks = 0
  for (let from = 0; from < all.length; ) {
    let to = from
    while (to < all.length && all[to]?.value === all[from]?.value) to++
    // Equal values share their places, counted from 1.
    for (let n = from; n < to; n++) if (all[n]?.own) ranks += (from + 1 + to) / 2
    from = to
  }
  const greater = (ranks - (some.length * (some.length + 1)) / 2) / (some.length * others.length)
  return Math.max(greater, 1 - greater)
}

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

const meansOf = (values: readonly number[]): number[] =>
  Array.from({ length: Math.floor(values.length / POOLED) }, (_, n) => {
    const some = values.slice(n * POOLED, (n + 1) * POOLED)
    return some.reduce((sum, value) => sum + value, 0) / POOLED
  })

/** How well a stranger tells two states apart by the means of twenty observations of each address. */
export const pooledAuc = (some: readonly number[], others: readonly number[]): number =>
  auc(meansOf(some), meansOf(others))

const MOST_AUC = 0.65
/** Standard deviations: chance alone makes the worst of all pairs and signs pass them once in a hundred times. */
const CHANCE = 4

/** With few addresses chance alone passes the bound that many are held to. */
export const mostPooledAuc = (observations: number): number => {
  const addresses = Math.floor(observations / POOLED)
  return Math.max(MOST_AUC, 0.5 + CHANCE * Math.sqrt((2 * addresses + 1) / (12 * addresses * addresses)))
}
