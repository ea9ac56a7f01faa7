import { SUBSCRIPTION_COLUMNS, type SubscriptionRow } from '../../tables/subscriptions.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { rowStatement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

/** Where the rows of a subscription are. */
export interface Place {
  /** Undefined if it is not stored. */
  seq: number | undefined
  /** Set if another identity holds the id that it would have had. */
  displaced: string | undefined
  /** How many consent records it has, if that is known: where it began within this unit. */
  consents?: number
}

/** Remembers, within one unit, where subscriptions are: dependent rows refer to its place. */
export class RowCache {
  readonly #unit: Transaction
  readonly #places = new Map<number, Place>()
  readonly #rows: Loader<number, SubscriptionRow>

  constructor(unit: Transaction) {
    this.#unit = unit
    this.#rows = new Loader(async (ids) => {
      this.#unit.lock(...ids.map(keyOf.subscription))
      const rows = await this.#unit.ask(LOOK, ids)
      return new Map(rows.map((row) => [row.id, row]))
    })
  }

  /** The row. Until the unit ends, no other unit changes it, or inserts it where it is absent. */
  async look(id: number): Promise<SubscriptionRow | undefined> {
    const row = await this.#rows.find(id)
    const { displaced } = this.#places.get(id) ?? {}
    this.#places.set(id, { seq: row?.seq, displaced })
    return row
  }

  async of(id: number): Promise<Place> {
    const known = this.#places.get(id)
    if (known !== undefined) return known
    await this.look(id)
    return await this.of(id)
  }

  displace(id: number, fingerprint: string): void {
    this.#places.set(id, { seq: this.#places.get(id)?.seq, displaced: fingerprint })
  }

  forget(id: number): void {
    this.#places.delete(id)
  }
}

const LOOK = rowStatement<SubscriptionRow>(
  `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE id = ANY ($1::bigint[]) FOR UPDATE`,
)
