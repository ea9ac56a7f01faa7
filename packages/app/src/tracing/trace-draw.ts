/** Milliseconds for which unused traces are saved up. */
const SAVED = 1_000
/** Milliseconds; a timer cannot wait for more than 24 days. */
const LONGEST_SLEEP = 3_600_000

/**
 * Says whether the next trace begins, of which there are so many a second on average. It is asked for every request: while
 * the rate is used up it looks at nothing, not even at the clock. An SDK would make the ids of a trace before it asks its
 * sampler, which takes a hundred times as long.
 */
export const traceDraw = (rate: number): (() => boolean) => {
  const interval = 1_000 / rate
  /** The time up to which traces are used up. */
  let usedUntil = Number.NEGATIVE_INFINITY
  let sleeps = false
  const wake = (): void => {
    sleeps = false
  }
  return () => {
    if (sleeps) return false
    const time = performance.now()
    const until = Math.max(usedUntil, time - SAVED) + interval
    if (until > time) {
      sleeps = true
      setTimeout(wake, Math.min(until - time, LONGEST_SLEEP)).unref()
      return false
    }
    usedUntil = until
    return true
  }
}
