import { DomainError, Unavailable } from '@rollcall/core'
import type { Handler } from '../exchange.ts'
import { HeldAnswers, type Timing } from './held-answers.ts'
import { RecentDurations } from './recent-durations.ts'

/** Milliseconds: more than any sign-up takes on a machine that is not busy, and what a person does not notice. */
const SPAN = { least: 3, most: 250 }

/** What `performance` and Node's timers do. */
const SYSTEM: Timing = {
  now: () => performance.now(),
  later: (call, milliseconds) => void setTimeout(call, milliseconds),
  nextTurn: (call) => void setImmediate(call),
}

/** A request that overlaps as many others has the time of their batch. */
const CROWD = 40

/**
 * Answers no sooner than the slowest percent of the last minute was done, whatever is known of the address: what is left
 * of the difference between outcomes, which a busy machine makes larger, is not seen in the time. Never to the next
 * multiple of some time: a small difference would be a whole step wherever it crosses one.
 *
 * Two kinds of requests are answered at once. The input alone decides some, such as one with an invalid address. Others
 * overlap many requests: they share a batch, whose time is the same for every outcome; and if nobody waits, more requests
 * fit in a batch.
 */
export const constantTimeResponse = (timing: Timing = SYSTEM): Handler => {
  const durations = new RecentDurations(SPAN)
  const held = new HeldAnswers(timing)
  let begun = 0
  let ended = 0
  const end = (since: number, endedBefore: number): Promise<void> | undefined => {
    ended++
    const now = timing.now()
    durations.note(now - since, now)
    return begun - endedBefore > CROWD ? undefined : held.until(since + durations.slowest(now))
  }
  return async (_ctx, next) => {
    const since = timing.now()
    const endedBefore = ended
    begun++
    try {
      await next()
    } catch (error) {
      // What is refused without a batch hides the time of no other.
      if (error instanceof DomainError && !(error instanceof Unavailable)) begun--
      else await end(since, endedBefore)
      throw error
    }
    await end(since, endedBefore)
  }
}
