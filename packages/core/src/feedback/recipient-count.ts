import { DAY } from '../instant.ts'
import type { Needs } from '../use-case.ts'
import type { Reporter } from './feedback-effect.ts'

/** Less is in order, however few recipients there are. */
const FREE = 100
/** Of this many recipients, one a day is in order: 5 %. */
const RECIPIENTS_FOR_ONE = 20
const STRETCH = 50_000
/** Others may report at the same time. */
const AHEAD = 5_000

interface Count {
  readonly day: number
  /** What is left to be counted. */
  readonly rest: {
    readonly feed: Reporter['feeds'] extends readonly (infer Name)[] | undefined ? Name | undefined : never
    after: number
  }[]
  recipients: number
  turn: Promise<unknown>
}

/**
 * How many addresses the feedback of a caller may take from its mails in a day. Recipients are counted in short stretches of
 * an index, only if there is much feedback, no further than is needed, and once a day: all of it together is at most
 * one walk through the index.
 */
export class FeedbackAllowance {
  readonly #readers: Needs<never, 'subscriptions'>['readers']
  readonly #counts = new Map<string, Count>()

  constructor({ readers }: Needs<never, 'subscriptions'>) {
    this.#readers = readers
  }

  /** Exact up to `addresses` and well beyond it; above that, it may be more. */
  async of({ feeds }: Pick<Reporter, 'feeds'>, addresses: number, now: number): Promise<number> {
    if (addresses <= FREE) return FREE
    const count = this.#countOf(feeds, Math.floor(now / DAY))
    const wanted = (addresses + AHEAD) * RECIPIENTS_FOR_ONE
    // One after another, or stretches would be counted twice.
    count.turn = count.turn.catch(() => undefined).then(() => this.#countTo(count, wanted))
    await count.turn
    return Math.max(FREE, Math.floor(count.recipients / RECIPIENTS_FOR_ONE))
  }

  #countOf(feeds: Reporter['feeds'], day: number): Count {
    const key = feeds === undefined ? '*' : [...feeds].sort().join(' ')
    const known = this.#counts.get(key)
    if (known?.day === day) return known
    for (const [old, count] of this.#counts) if (count.day !== day) this.#counts.delete(old)
    const rest = (feeds ?? [undefined]).map((feed) => ({ feed, after: 0 }))
    const count = { day, rest, recipients: 0, turn: Promise.resolve() }
    this.#counts.set(key, count)
    return count
  }

  async #countTo(count: Count, wanted: number): Promise<void> {
    for (let next = count.rest[0]; next !== undefined && count.recipients < wanted; next = count.rest[0]) {
      const { feed, after } = next
      const { confirmed, last } = await this.#readers.subscriptions.countConfirmed({ feed, after, limit: STRETCH })
      count.recipients += confirmed
      if (last === undefined) count.rest.shift()
      else next.after = last
    }
  }
}
