import type { Attempt } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { DomainErrorName } from '../errors.ts'
import { type Instant, MINUTE } from '../instant.ts'
import type { Clock } from '../ports/clock.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import type { AuditEntry } from './audit-record.ts'
import { type AuditTrail, auditEntry } from './audit-trail.ts'

/** What one caller was refused of one action within one minute. */
interface Window {
  readonly since: Instant
  written: number
  /** The first refusal beyond the limit since the last flush; stands for all of them. */
  surplus: AuditEntry | undefined
}

const ONE_BY_ONE = 10
const LONGEST_QUEUE = 1_000

/**
 * Gathers refusals, so that being refused costs the store nothing, and writes them when told to (`flush`, within a
 * second). The same caller refused the same action more than 10 times in a minute: one record with a count a flush.
 */
export class RefusalLog {
  readonly #clock: Clock
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail
  readonly #windows = new Map<string, Window>()
  #queue: AuditEntry[] = []

  constructor(clock: Clock, unitOfWork: UnitOfWork, trail: AuditTrail) {
    this.#clock = clock
    this.#unitOfWork = unitOfWork
    this.#trail = trail
  }

  note(caller: Caller, attempt: Attempt, outcome: DomainErrorName): void {
    const window = this.#window(`${attempt.action} ${caller.id}`)
    if (window.surplus !== undefined) {
      window.surplus = { ...window.surplus, count: window.surplus.count + 1 }
      return
    }
    const entry = auditEntry(this.#clock.now(), caller, attempt, outcome)
    if (window.written < ONE_BY_ONE && this.#queue.length < LONGEST_QUEUE) {
      window.written++
      this.#queue.push(entry)
    } else {
      window.surplus = { ...entry, target: undefined, requestId: undefined }
    }
  }

  /** Writes what was gathered. If that fails it stays gathered, and the next flush tries again. */
  async flush(): Promise<void> {
    const now = this.#clock.now()
    const entries = this.#queue
    const surplus = [...this.#windows.values()].filter((window) => window.surplus !== undefined)
    const counted = surplus.flatMap(({ surplus }) => surplus ?? [])
    this.#queue = []
    for (const window of surplus) window.surplus = undefined
    for (const [key, { since }] of this.#windows) if (now - since >= MINUTE) this.#windows.delete(key)
    if (entries.length + counted.length === 0) return
    try {
      await this.#unitOfWork.run(async ({ audit }) => {
        for (const entry of [...entries, ...counted]) await this.#trail.append(audit, entry)
      })
    } catch (error) {
      this.#queue.unshift(...entries, ...counted)
      throw error
    }
  }

  #window(key: string): Window {
    const now = this.#clock.now()
    const current = this.#windows.get(key)
    if (current !== undefined && now - current.since < MINUTE) return current
    const fresh: Window = { since: now, written: 0, surplus: current?.surplus }
    this.#windows.set(key, fresh)
    return fresh
  }
}
