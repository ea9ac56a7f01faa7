import type { Attempt } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { HOUR, type Instant } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { DONE } from './audit-store.ts'
import { auditEntry } from './audit-trail.ts'
import { appendInBatches, merged, OTHERS, type Tally } from './tally.ts'

/** The reads of one list by one caller. */
interface Window {
  readonly since: Instant
  /** The first of a window is written with the next flush, the others when the hour is over. */
  readonly isNew: boolean
  /** What is not written yet. */
  gathered: Tally | undefined
}

const MOST_WINDOWS = 2_000

/**
 * Gathers who reads lists of people, so that a read waits for nothing, and writes it on `flush`: the first read of a
 * caller within a second, and what it read after that once an hour, as one record with a count. Of more than 2000 callers
 * an hour, the rest are one.
 */
export class ReadLog {
  readonly #clock: Clock
  readonly #unitOfWork: UnitOfWork
  readonly #windows = new Map<string, Window>()

  constructor(clock: Clock, unitOfWork: UnitOfWork) {
    this.#clock = clock
    this.#unitOfWork = unitOfWork
  }

  note(caller: Caller, { action }: Attempt): void {
    this.#gather(auditEntry(this.#clock.now(), caller, { action }, DONE))
  }

  /**
   * Writes what is due, and at the end, with `all`, what is not. If that fails it stays gathered, and the next flush
   * tries again.
   */
  async flush({ all = false }: { readonly all?: boolean } = {}): Promise<void> {
    const entries = this.#take(this.#clock.now(), all)
    try {
      await appendInBatches(this.#unitOfWork, entries)
    } catch (error) {
      for (const entry of entries) this.#gather(entry, true)
      throw error
    }
  }

  #take(now: Instant, all: boolean): Tally[] {
    const entries: Tally[] = []
    for (const [key, { since, isNew, gathered }] of this.#windows) {
      const isOver = Math.abs(now - since) >= HOUR
      if (gathered === undefined) {
        if (isOver) this.#windows.delete(key)
      } else if (isNew || isOver || all) {
        // Records are in the order of time; what an hour had is known at its end.
        entries.push(isNew ? gathered : { ...gathered, at: now })
        this.#windows.set(key, { since: isOver ? now : since, isNew: false, gathered: undefined })
      }
    }
    return entries.sort((a, b) => a.at - b.at)
  }

  #gather(entry: Tally, isDue = false): void {
    const isOneMore = this.#windows.size >= MOST_WINDOWS && !this.#windows.has(keyOf(entry))
    if (isOneMore) Object.assign(entry, { actor: OTHERS, tokenId: undefined, requestId: undefined })
    const key = keyOf(entry)
    const window = this.#windows.get(key)
    const { since, isNew, gathered } = window ?? { since: entry.at, isNew: true, gathered: undefined }
    this.#windows.set(key, { since, isNew: isNew || isDue, gathered: gathered ? merged(gathered, entry) : entry })
  }
}

const keyOf = ({ action, channel, roleSource, actor }: Tally): string => [action, channel, roleSource, actor].join(' ')
