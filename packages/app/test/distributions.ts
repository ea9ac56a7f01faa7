/** Milliseconds by class: each round has one of every class, in an order of its own. */
export type Rounds = ReadonlyMap<string, readonly number[]>

const QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9]
const PERMUTATIONS = 999

/** A generator of chance that repeats itself from run to run (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const shuffle = <T>(items: readonly T[], random: () => number): T[] => {
  const shuffled = [...items]
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[shuffled[i], shuffled[j]] = [shuffled[j] as T, shuffled[i] as T]
  }
  return shuffled
}

const quantilesOf = (samples: ArrayLike<number>): number[] => {
  const sorted = Float64Array.from(samples).sort()
  return QUANTILES.map((q) => sorted[Math.floor(q * (sorted.length - 1))] ?? Number.NaN)
}

/** Quantiles of the times, and of how far each is from what is usual in its round: then, a machine's moods do not count. */
const figuresOf = (samples: Float64Array, usual: Float64Array): number[] => [
  ...quantilesOf(samples),
  ...quantilesOf(samples.map((value, row) => value - (usual[row] ?? 0))),
]

/** For each figure, how far the classes are apart in it, beyond what does not count. */
const spreadsOf = (columns: readonly Float64Array[], usual: Float64Array, negligible: number): number[] => {
  const figures = columns.map((column) => figuresOf(column, usual))
  return (figures[0] ?? []).map((_, i) => {
    const own = figures.map((each) => each[i] ?? 0)
    return Math.max(0, Math.max(...own) - Math.min(...own) - negligible)
  })
}

/**
 * The chance that classes which do not differ at all would look at least this different: a permutation test that
 * exchanges the classes within each round, so that whatever else goes on in the machine weighs on all alike. Each
 * figure is held against how far it strays by chance: the fastest answers tell more than the slowest.
 * @param negligible milliseconds that cannot be measured from a distance
 */
export const chanceOf = (rounds: Rounds, negligible: number, random = seeded(1)): number => {
  const columns = [...rounds.values()].map((samples) => Float64Array.from(samples))
  const usual = (columns[0] ?? new Float64Array()).map((_, row) => medianOf(columns.map((column) => column[row] ?? 0)))
  const observed = spreadsOf(columns, usual, negligible)
  const permuted = Array.from({ length: PERMUTATIONS }, () => spreadsOf(exchanged(columns, random), usual, negligible))
  const strays = observed.map((_, i) => permuted.reduce((sum, spreads) => sum + (spreads[i] ?? 0), 0))
  const farthest = (spreads: readonly number[]) =>
    Math.max(...spreads.map((one, i) => (one === 0 ? 0 : one / (strays[i] ?? 0))))
  const asFar = permuted.filter((spreads) => farthest(spreads) >= farthest(observed)).length
  return (asFar + 1) / (PERMUTATIONS + 1)
}

const medianOf = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0

const exchanged = (columns: readonly Float64Array[], random: () => number): Float64Array[] => {
  const other = columns.map((column) => Float64Array.from(column))
  const order = columns.map((_, i) => i)
  for (let row = 0; row < (columns[0]?.length ?? 0); row++)
    for (const [to, from] of shuffle(order, random).entries()) {
      const [source, target] = [columns[from], other[to]]
      if (source && target) target[row] = source[row] ?? 0
    }
  return other
}

/** Quantiles by class, to find out why they differ. */
export const table = (rounds: Rounds): string =>
  [...rounds]
    .map(
      ([name, samples]) =>
        `${name.padEnd(12)} ${quantilesOf(samples)
          .map((value) => value.toFixed(3))
          .join(' ')}`,
    )
    .join('\n')
