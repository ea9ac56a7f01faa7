import type { Attempt } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { DomainErrorName } from '../errors.ts'
import { type Instant, MINUTE } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { auditEntry } from './audit-trail.ts'
import { appendInBatches, merged, OTHERS, type Tally } from './tally.ts'

/** The refusals of one action for one caller within one minute. */
interface Window {
  readonly since: Instant
  noted: number
  /** What is not written yet. */
  gathered: Tally[]
}

const ONE_BY_ONE = 10
const MOST_WINDOWS = 2_000

/**
 * Gathers refusals, so that being refused costs the store nothing, and writes them on `flush` (within a
 * second). Once the same caller was refused the same action more than 10 times in a minute, whatever is gathered of
 * it between two flushes is one record with a count. Beyond 2000 such records a minute, the rest share one, too.
 */
export class RefusalLog {
  readonly #clock: Clock
  readonly #unitOfWork: UnitOfWork
  readonly #windows = new Map<string, Window>()

  constructor(clock: Clock, unitOfWork: UnitOfWork) {
    this.#clock = clock
    this.#unitOfWork = unitOfWork
  }

  note(caller: Caller, attempt: Attempt, outcome: DomainErrorName): void {
    const now = this.#clock.now()
    const entry: Tally = auditEntry(now, caller, attempt, outcome)
    const window = this.#windowFor(entry, now)
    window.noted++
    gather(window, entry)
  }

  /** Writes what was gathered. If that fails it stays gathered, and the next flush tries again. */
  async flush(): Promise<void> {
    const entries = this.#take(this.#clock.now())
    try {
      await appendInBatches(this.#unitOfWork, entries)
    } catch (error) {
      for (const entry of entries) gather(this.#windowFor(entry, entry.at), entry)
      throw error
    }
  }

  #take(now: Instant): Tally[] {
    const entries: Tally[] = []
    for (const [key, window] of this.#windows) {
      entries.push(...window.gathered)
      window.gathered = []
      if (isOver(window, now)) this.#windows.delete(key)
    }
    return entries.sort((a, b) => a.at - b.at)
  }

  #windowFor(entry: Tally, now: Instant): Window {
    const key = [entry.action, entry.outcome, entry.channel, entry.roleSource, entry.actor].join(' ')
    const current = this.#windows.get(key)
    if (current !== undefined && !isOver(current, now)) return current
    if (current === undefined && this.#windows.size >= MOST_WINDOWS && entry.actor !== OTHERS) {
      Object.assign(entry, { actor: OTHERS, target: undefined, tokenId: undefined, requestId: undefined })
      return this.#windowFor(entry, now)
    }
    const fresh: Window = { since: now, noted: 0, gathered: current?.gathered ?? [] }
    this.#windows.set(key, fresh)
    return fresh
  }
}

const isOver = ({ since }: Window, now: Instant): boolean => Math.abs(now - since) >= MINUTE

const gather = (window: Window, entry: Tally): void => {
  window.gathered.push(entry)
  if (window.noted > ONE_BY_ONE || window.gathered.length > ONE_BY_ONE)
    window.gathered = [window.gathered.reduce(merged)]
}
