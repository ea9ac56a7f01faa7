import type { SubscriptionRow } from '../../tables/subscriptions.ts'
import type { Statement } from '../connection.ts'
import type { Writer } from '../writer.ts'

/** What indexes of a subscription's row are made of, and the column that is written only where it holds something. */
export type IndexedColumns = Pick<SubscriptionRow, 'feed' | 'status' | 'expires_at' | 'fields'>

/** Where the rows of a subscription are. */
export interface Place {
  /** Undefined where it is not stored. */
  seq: number | undefined
  /** As stored; of no meaning where it is not. */
  indexed: IndexedColumns | undefined
  /** How many consent records it has, where that is known. */
  consents: number | undefined
  /** Set where another identity holds the id that it would have had. */
  readonly displaced: string | undefined
}

type FoundRow = Pick<SubscriptionRow, 'seq'> & IndexedColumns

/** Remembers where subscriptions are, so that the steps of one sign-up need not look for each three times. */
export class RowCache {
  readonly #writer: Writer
  readonly #find: Statement<[number], FoundRow>
  readonly #places = new Map<number, Place>()
  #epoch = -1

  constructor(writer: Writer) {
    this.#writer = writer
    this.#find = writer.connection.prepare<[number], FoundRow>(
      'SELECT seq, feed, status, expires_at, fields FROM subscription WHERE id = ?',
    )
  }

  of(id: number): Place {
    this.#keepUp()
    const known = this.#places.get(id)
    if (known !== undefined) return known
    return this.note(id, this.#find.get(id))
  }

  note(id: number, row: FoundRow | undefined, displaced?: string): Place {
    this.#keepUp()
    const place = { seq: row?.seq, indexed: row, consents: undefined, displaced }
    this.#places.set(id, place)
    return place
  }

  forget(id: number): void {
    this.#places.delete(id)
  }

  // With each transaction, and when a unit is undone, all may be otherwise.
  #keepUp(): void {
    if (this.#epoch === this.#writer.epoch) return
    this.#epoch = this.#writer.epoch
    this.#places.clear()
  }
}
