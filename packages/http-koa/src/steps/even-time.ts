import { setTimeout as sleep } from 'node:timers/promises'
import type { Step } from '../exchange.ts'

/** Milliseconds: more than any sign-up takes on a machine that is not busy. */
const LEAST = 3

/**
 * Answers no sooner than after a fixed time. What happens to an address that is blocked is less work than what happens
 * to a new one; without this, whoever asks often enough could tell them apart by a tenth of a millisecond.
 */
export const evenTime: Step = async (_ctx, next) => {
  const begin = performance.now()
  try {
    await next()
  } finally {
    // Timers cut off fractions, and count from when the event loop last looked at the clock: they may come early.
    for (let left = LEAST; left > 0; ) {
      left = begin + LEAST - performance.now()
      if (left > 0) await sleep(Math.ceil(left))
    }
  }
}
