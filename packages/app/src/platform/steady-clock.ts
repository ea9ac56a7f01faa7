import type { Clock, Instant } from '@rollcall/core'
import type { Log } from '../log.ts'

/** Milliseconds by which a clock may be put right without anybody having to ask. */
const TOLERANCE = 60_000
/** Milliseconds for which a jump must have held to be believed. */
const PROBATION = 3_600_000

interface Sources {
  readonly clock: Clock
  /** Milliseconds since whenever, never jumping. */
  readonly elapsed: () => number
  readonly log: Pick<Log, 'warn'>
}

/**
 * A clock for what cannot be undone: it follows another, but not where that jumps ahead by more than a minute. It goes
 * on as before instead, until the other has been set back, or has kept to its new time for an hour. Back it goes at once:
 * then things last longer, and nothing is lost. What it sees first, it believes.
 */
export class SteadyClock implements Clock {
  readonly #sources: Sources
  /** What is to be added to the time elapsed. */
  #offset: number
  #leap: { readonly offset: number; readonly seenAt: number } | undefined

  constructor(sources: Sources) {
    this.#sources = sources
    this.#offset = sources.clock.now() - sources.elapsed()
  }

  now(): Instant {
    const elapsed = this.#sources.elapsed()
    const offset = this.#sources.clock.now() - elapsed
    if (offset - this.#offset > TOLERANCE) this.#doubt(offset, elapsed)
    else this.#follow(offset)
    return Math.floor(elapsed + this.#offset)
  }

  #doubt(offset: number, elapsed: number): void {
    const { log } = this.#sources
    if (this.#leap === undefined || Math.abs(offset - this.#leap.offset) > TOLERANCE) {
      this.#leap = { offset, seenAt: elapsed }
      const seconds = Math.round((offset - this.#offset) / 1_000)
      log.warn({ seconds }, 'the clock jumped ahead: nothing is removed for its age by the new time for an hour')
    } else if (elapsed - this.#leap.seenAt >= PROBATION) {
      log.warn({}, 'the clock has kept to its new time for an hour: it is believed')
      this.#follow(offset)
    }
  }

  #follow(offset: number): void {
    if (this.#offset - offset > TOLERANCE)
      this.#sources.log.warn({ seconds: Math.round((this.#offset - offset) / 1_000) }, 'the clock was set back')
    this.#offset = offset
    this.#leap = undefined
  }
}
