import type { Clock, Instant } from '@rollcall/core'
import type { Log } from '../log.ts'

/** Milliseconds by which a clock may be corrected without a second look. */
const TOLERANCE = 60_000
/** Milliseconds for which a jump must have held to be believed. */
const PROBATION = 3_600_000

/**
 * A clock for what cannot be undone: it follows another, but not if that jumps ahead by more than a minute. It goes
 * on as before instead, until the other has been set back, or has kept to its new time for an hour. Back it goes at once:
 * then things last longer, and nothing is lost. What it sees first, it believes.
 */
export class JumpGuardedClock implements Clock {
  readonly #clock: Clock
  readonly #log: Pick<Log, 'warn'>
  /** What is to be added to the time elapsed, which never jumps. */
  #offset: number
  #setBacks = 0
  #leap: { readonly offset: number; readonly seenAt: number } | undefined

  constructor(clock: Clock, log: Pick<Log, 'warn'>) {
    this.#clock = clock
    this.#log = log
    this.#offset = clock.now() - performance.now()
  }

  /** How often it has seen the other clock being set back. */
  get setBacks(): number {
    return this.#setBacks
  }

  now(): Instant {
    const elapsed = performance.now()
    const offset = this.#clock.now() - elapsed
    if (offset - this.#offset > TOLERANCE) this.#doubt(offset, elapsed)
    else this.#follow(offset)
    return Math.floor(elapsed + this.#offset)
  }

  #doubt(offset: number, elapsed: number): void {
    const ahead = { seconds: Math.round((offset - this.#offset) / 1_000) }
    if (this.#leap === undefined || offset - this.#leap.offset > TOLERANCE) {
      this.#leap = { offset, seenAt: elapsed }
      this.#log.warn(ahead, 'the clock jumped ahead: for an hour nothing is removed for its age by the new time')
    } else if (this.#leap.offset - offset > TOLERANCE) {
      this.#leap = { offset, seenAt: elapsed }
      this.#setBacks++
      this.#log.warn(ahead, 'the clock was set back, but is still ahead of what it was')
    } else if (elapsed - this.#leap.seenAt >= PROBATION) {
      this.#log.warn({}, 'the clock has kept to its new time for an hour: it is believed')
      this.#follow(offset)
    }
  }

  #follow(offset: number): void {
    const before = this.#leap?.offset ?? this.#offset
    if (before - offset > TOLERANCE) {
      this.#setBacks++
      this.#log.warn({ seconds: Math.round((before - offset) / 1_000) }, 'the clock was set back')
    }
    this.#offset = offset
    this.#leap = undefined
  }
}
