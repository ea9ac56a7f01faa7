/** Of repetitions. */
export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** @throws {RangeError} there are no values */
export const spread = (values: readonly number[]): Spread => {
  const sorted = values.toSorted((a, b) => a - b)
  const low = sorted[Math.floor((sorted.length - 1) / 2)]
  const high = sorted[Math.ceil((sorted.length - 1) / 2)]
  const [least, most] = [sorted[0], sorted.at(-1)]
  if (low === undefined || high === undefined || least === undefined || most === undefined) {
    throw new RangeError('nothing was measured')
  }
  return { median: (low + high) / 2, least, most }
}

/** NaN where there are no values. */
export const percentile = (values: readonly number[], percent: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}
