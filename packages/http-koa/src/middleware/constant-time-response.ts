import { setTimeout as sleep } from 'node:timers/promises'
import type { Handler } from '../exchange.ts'

/** Milliseconds: more than any sign-up takes on a machine that is not busy. */
const MINIMUM = 3

/**
 * Answers no sooner than after a fixed time. A suppressed address takes less work than a new one; without this, a client
 * that asks often enough could tell them apart by a tenth of a millisecond.
 */
export const constantTimeResponse: Handler = async (_ctx, next) => {
  const end = performance.now() + MINIMUM
  try {
    await next()
  } finally {
    await until(end)
  }
}

/** The last milliseconds, in which the clock is polled instead of setting a timer. */
const POLLED = 2

// A timer waits for whole milliseconds from when it is set, and so reveals what fraction of one the work took. Polling
// the clock in every turn of the event loop ends all waits alike: within 0.02 ms in the median, instead of 0.15.
const until = async (end: number): Promise<void> => {
  const left = end - performance.now()
  if (left > POLLED) await sleep(Math.floor(left - 1))
  if (performance.now() < end) await new Promise<void>((resolve) => wait({ end, resolve }))
}

interface Waiting {
  readonly end: number
  readonly resolve: () => void
}

let waiting: Waiting[] = []

const wait = (one: Waiting): void => {
  waiting.push(one)
  if (waiting.length === 1) setImmediate(poll)
}

/** One poll serves all waiting requests, so many cost no more than one. */
const poll = (): void => {
  const now = performance.now()
  const late = waiting.filter(({ end }) => end > now)
  for (const { end, resolve } of waiting) if (end <= now) resolve()
  waiting = late
  if (waiting.length > 0) setImmediate(poll)
}
