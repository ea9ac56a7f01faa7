import { setTimeout as sleep } from 'node:timers/promises'
import type { Step } from '../exchange.ts'

/** Milliseconds: more than any sign-up takes on a machine that is not busy. */
const LEAST = 3

/**
 * Answers no sooner than after a fixed time. What happens to an address that is blocked is less work than what happens
 * to a new one; without this, whoever asks often enough could tell them apart by a tenth of a millisecond.
 */
export const evenTime: Step = async (_ctx, next) => {
  const end = performance.now() + LEAST
  try {
    await next()
  } finally {
    await until(end)
  }
}

/** Milliseconds at the end that are not left to a timer. */
const WATCHED = 2

// A timer waits for whole milliseconds from when it is set, and so tells what fraction of one the work took. Only the
// clock, looked at in every turn of the event loop, ends all alike: within 0.02 ms in the median, instead of 0.15.
const until = async (end: number): Promise<void> => {
  const left = end - performance.now()
  if (left > WATCHED) await sleep(Math.floor(left - 1))
  if (performance.now() < end) await new Promise<void>((resolve) => watch({ end, resolve }))
}

interface Waiting {
  readonly end: number
  readonly resolve: () => void
}

let waiting: Waiting[] = []

const watch = (one: Waiting): void => {
  waiting.push(one)
  if (waiting.length === 1) setImmediate(look)
}

/** One for all who wait, so that it costs the same for many as for one. */
const look = (): void => {
  const now = performance.now()
  const late = waiting.filter(({ end }) => end > now)
  for (const { end, resolve } of waiting) if (end <= now) resolve()
  waiting = late
  if (waiting.length > 0) setImmediate(look)
}
