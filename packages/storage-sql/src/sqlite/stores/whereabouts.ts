import type Database from 'better-sqlite3'
import type { Writer } from '../writer.ts'

/** Where the rows of a subscription are. */
export interface Place {
  readonly id: number
  /** Undefined where it is not stored. */
  seq: number | undefined
  /** How many consent records it has, where that is known. */
  consents: number | undefined
  /** Set where another identity holds the id that it would have had. */
  readonly displaced: string | undefined
}

/** Remembers where the last subscription was, so that the steps of one sign-up need not look for it three times. */
export class Whereabouts {
  readonly #writer: Writer
  readonly #find: Database.Statement<[number], number>
  #last: Place | undefined
  #epoch = -1

  constructor(writer: Writer) {
    this.#writer = writer
    this.#find = writer.connection.prepare<[number], number>('SELECT seq FROM subscription WHERE id = ?').pluck()
  }

  of(id: number): Place {
    if (this.#last?.id === id && this.#epoch === this.#writer.epoch) return this.#last
    return this.note(id, this.#find.get(id))
  }

  note(id: number, seq: number | undefined, displaced?: string): Place {
    this.#last = { id, seq, consents: undefined, displaced }
    this.#epoch = this.#writer.epoch
    return this.#last
  }

  forget(): void {
    this.#last = undefined
  }
}
