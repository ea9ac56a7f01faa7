import { perform, usedOutsideUnit, type Work } from '../unit.ts'
import type { SharedReads } from './shared-reads.ts'
import { type JoinedUnit, sharedStores } from './shared-stores.ts'
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

/** A unit that shares its transaction with others, for as long as it does nothing but what new sign-ups do. */
export class SharedUnit implements JoinedUnit {
  readonly writes = new SharedWrites()
  readonly looked = new Set<string>()
  /** Resolves when the work has ended or was aborted, which is before it has unwound. */
  readonly worked: Promise<Outcome>
  /** Resolves when the work has ended, its `finally` blocks included. */
  readonly unwound: Promise<void>
  /** Resolves when its transaction has ended. */
  readonly answered: Promise<Outcome>
  readonly answer: (outcome: Outcome) => void
  /** To be called when its batch has begun. */
  readonly join: (reads: SharedReads) => void
  readonly #joined: Promise<SharedReads>
  readonly #refuse: (error: unknown) => void
  readonly #setWorked: (outcome: Outcome) => void
  readonly #enqueue: (unit: SharedUnit) => void
  #enqueued = false
  #aborted = false
  #ended = false

  /** `enqueue` is called with the unit when it first needs a transaction. */
  constructor(work: Work, enqueue: (unit: SharedUnit) => void) {
    const joined = Promise.withResolvers<SharedReads>()
    const worked = Promise.withResolvers<Outcome>()
    const answered = Promise.withResolvers<Outcome>()
    joined.promise.catch(() => undefined)
    this.#enqueue = enqueue
    this.#joined = joined.promise
    this.join = joined.resolve
    this.#refuse = joined.reject
    this.worked = worked.promise
    this.#setWorked = worked.resolve
    this.answered = answered.promise
    this.answer = answered.resolve
    this.unwound = this.#run(work)
    // A unit that never needs a transaction is answered without one.
    this.worked.then((outcome) => {
      if (!this.#enqueued) this.answer(outcome)
    })
  }

  async reads(): Promise<SharedReads> {
    if (this.#ended) throw usedOutsideUnit()
    if (this.#aborted) throw ABORT
    if (!this.#enqueued) {
      this.#enqueued = true
      this.#enqueue(this)
    }
    return await this.#joined
  }

  abort(): Promise<never> {
    if (this.#ended) return Promise.reject(usedOutsideUnit())
    this.#aborted = true
    this.#setWorked(ABORTED)
    return REJECTION
  }

  /** Answers with the error; what the work waits for fails with it. */
  fail(error: unknown): void {
    this.answer({ kind: 'error', error })
    this.#refuse(error)
  }

  async #run(work: Work): Promise<void> {
    const outcome = await this.#outcomeOf(work)
    this.#ended = true
    // The work may have caught the abort. It is aborted all the same.
    this.#setWorked(this.#aborted ? ABORTED : outcome)
  }

  async #outcomeOf(work: Work): Promise<Outcome> {
    try {
      return { kind: 'value', value: await perform(work, sharedStores(this)) }
    } catch (error) {
      return { kind: 'error', error }
    }
  }
}
