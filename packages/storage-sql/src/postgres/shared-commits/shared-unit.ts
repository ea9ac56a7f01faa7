import type { Stores } from '@rollcall/core'
import { perform, usedOutsideUnit, type Work } from '../unit.ts'
import type { SharedReads } from './shared-reads.ts'
import { SharedWrites } from './shared-writes.ts'

/** What became of a unit. One that was aborted has changed nothing, and is to be run in an exclusive transaction. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'aborted' }

export const ABORTED: Outcome = { kind: 'aborted' }

/** Unwinds the work of an aborted unit. It is one object, so that an abort costs no stack trace. */
const ABORT = new Error('This unit of work runs again in a transaction of its own.')
const REJECTION: Promise<never> = Promise.reject(ABORT)
// Work that awaits another store first must not end the process.
REJECTION.catch(() => undefined)

/** Units share a transaction only with others of their lane: audited ones look for other things than sign-ups. */
export type Lane = 'plain' | 'audited'

/** What a batch offers its units. */
export interface Joined {
  readonly reads: SharedReads
}

interface SharedUnitOptions {
  readonly work: Work
  /** Called with the unit when it first needs a transaction. */
  readonly enqueue: (unit: SharedUnit, lane: Lane) => void
  /** The stores that its work gets while it shares. */
  readonly storesOf: (unit: SharedUnit) => Stores
}

/**
 * A unit that shares its transaction with others, for as long as it does nothing but what sign-ups do, or what
 * changes of users do.
 */
export class SharedUnit {
  readonly writes = new SharedWrites()
  /** Keys of what it has looked at and others may write. */
  readonly looked: string[] = []
  /** Keys of what it writes beside new rows of sign-ups, each once. */
  readonly changed: string[] = []
  /** Resolves when the work has ended or was aborted, which is before it has unwound. */
  readonly worked = Promise.withResolvers<Outcome>()
  /** Resolves when the work has ended, its `finally` blocks included. */
  readonly unwound: Promise<void>
  /** To be resolved when its transaction has ended. */
  readonly answered = Promise.withResolvers<Outcome>()
  /** To be resolved when its batch has begun. */
  readonly joined = Promise.withResolvers<Joined>()
  readonly #enqueue: SharedUnitOptions['enqueue']
  readonly #storesOf: SharedUnitOptions['storesOf']
  #lane: Lane | undefined
  #aborted = false
  #ended = false

  constructor({ work, enqueue, storesOf }: SharedUnitOptions) {
    this.joined.promise.catch(() => undefined)
    this.#enqueue = enqueue
    this.#storesOf = storesOf
    this.unwound = this.#run(work)
  }

  /**
   * What its batch offers, as soon as that has begun. A unit that needs the audited lane first may need the plain one, too.
   * Not an async function: a unit calls it for nearly everything that it does.
   */
  join(lane: Lane = 'plain'): Promise<Joined> {
    return this.refusal(lane) ?? this.joined.promise
  }

  /** Why it may not use a store of this lane; undefined where it may. */
  refusal(lane: Lane): Promise<never> | undefined {
    if (this.#ended) return Promise.reject(usedOutsideUnit())
    if (this.#aborted) return REJECTION
    if (this.#lane === undefined) {
      this.#lane = lane
      this.#enqueue(this, lane)
    }
    return lane === 'audited' && this.#lane === 'plain' ? this.abort() : undefined
  }

  /** Notes that it writes what has this key; false where it has done so before. */
  change(key: string): boolean {
    if (this.changed.includes(key)) return false
    this.changed.push(key)
    return true
  }

  /** Where it has asked to share a transaction; undefined before. */
  get lane(): Lane | undefined {
    return this.#lane
  }

  /** What others in its batch must not have looked at before. */
  keysWritten(): string[] {
    const { subscriptions, challenges, settled } = this.writes
    return [
      ...[...subscriptions].flatMap(([id, { subscription }]) => [
        `subscription ${id}`,
        `address ${subscription.address}`,
      ]),
      ...challenges.map(({ id }) => `challenge ${id}`),
      ...settled.map((id) => `outbox ${id}`),
      ...this.changed,
    ]
  }

  /** Rejects, so that the work unwinds; the unit is then run again in an exclusive transaction. */
  abort(): Promise<never> {
    if (this.#ended) return Promise.reject(usedOutsideUnit())
    this.#aborted = true
    this.worked.resolve(ABORTED)
    return REJECTION
  }

  /** Answers with the error; what the work waits for fails with it. */
  fail(error: unknown): void {
    this.answered.resolve({ kind: 'error', error })
    this.joined.reject(error)
  }

  async #run(work: Work): Promise<void> {
    let outcome: Outcome
    try {
      outcome = { kind: 'value', value: await perform(work, this.#storesOf(this)) }
    } catch (error) {
      outcome = { kind: 'error', error }
    }
    this.#ended = true
    // The work may have caught the abort. It is aborted all the same.
    if (this.#aborted) outcome = ABORTED
    this.worked.resolve(outcome)
    // A unit that never needed a transaction is answered without one.
    if (this.#lane === undefined) this.answered.resolve(outcome)
  }
}
