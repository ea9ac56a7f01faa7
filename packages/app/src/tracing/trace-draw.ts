/** How many of the traces that would begin here do. */
export interface TraceLimits {
  /** Which share of them. */
  readonly ratio: number
  /** How many of those a second, on average. */
  readonly rate: number
}

/** Milliseconds for which unused traces are saved up. */
const SAVED = 1_000

/**
 * Says whether the next trace begins. It is asked for every request, and costs a hundredth of the question to an SDK, which
 * makes the ids of a trace before it asks its sampler.
 */
export const traceDraw = (
  { ratio, rate }: TraceLimits,
  now = () => performance.now(),
  random = Math.random,
): (() => boolean) => {
  const interval = 1_000 / rate
  /** The time up to which traces are used up. */
  let usedUntil = Number.NEGATIVE_INFINITY
  return () => {
    if (random() >= ratio) return false
    const time = now()
    const until = Math.max(usedUntil, time - SAVED) + interval
    if (until > time) return false
    usedUntil = until
    return true
  }
}
