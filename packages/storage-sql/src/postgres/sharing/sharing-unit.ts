import type { Stores } from '@rollcall/core'
import { perform, type Work } from '../unit.ts'
import type { SharedBatch } from './shared-batch.ts'
import { sharedStores } from './shared-stores.ts'
import { SharedWrites } from './shared-writes.ts'

/** How a unit came out: on its own account, or not at all, so that it is to be run by itself. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'alone' }

export const ALONE: Outcome = { kind: 'alone' }

/** A unit that shares its transaction with others, for as long as it does nothing but what new sign-ups do. */
export class SharingUnit {
  readonly writes = new SharedWrites()
  /** What it has looked at and others may write. */
  readonly looked = new Set<string>()
  /** Resolves when the work is done, or is to be run by itself. */
  readonly done: Promise<Outcome>
  /** Resolves when its transaction is. */
  readonly answered: Promise<Outcome>
  /** To be called when it takes part in a batch. */
  readonly join: (batch: SharedBatch) => void
  readonly answer: (outcome: Outcome) => void
  readonly #joined: Promise<SharedBatch>
  readonly #board: (unit: SharingUnit) => void
  #leave: () => void = () => undefined
  #waiting = false

  /** `board` is called with the unit when it first needs a transaction. */
  constructor(work: Work, board: (unit: SharingUnit) => void) {
    const joined = Promise.withResolvers<SharedBatch>()
    const answered = Promise.withResolvers<Outcome>()
    this.#board = board
    this.#joined = joined.promise
    this.join = joined.resolve
    this.answered = answered.promise
    this.answer = answered.resolve
    const left = new Promise<Outcome>((resolve) => {
      this.#leave = () => resolve(ALONE)
    })
    this.done = Promise.race([this.#run(work, sharedStores(this)), left])
    // One that never needs a transaction is answered without.
    this.done.then((outcome) => {
      if (!this.#waiting) this.answer(outcome)
    })
  }

  /** The transaction, as soon as there is one. */
  async batch(): Promise<SharedBatch> {
    if (!this.#waiting) {
      this.#waiting = true
      this.#board(this)
    }
    return await this.#joined
  }

  /**
   * Never resolves: what has come about so far is forgotten, and the work is run again from its beginning, in a
   * transaction of its own.
   */
  leave(): Promise<never> {
    this.#leave()
    return new Promise(() => undefined)
  }

  async #run(work: Work, stores: Stores): Promise<Outcome> {
    try {
      return { kind: 'value', value: await perform(work, stores) }
    } catch (error) {
      return { kind: 'error', error }
    }
  }
}
