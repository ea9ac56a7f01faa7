import type { AuditRecord } from '@rollcall/core'

/** A unit that may append, and the outcome of its work. */
interface Appending<Outcome> {
  readonly writes: { readonly records: readonly AuditRecord[] }
  readonly worked: { readonly promise: Promise<Outcome> }
}

interface TrailOptions<Unit, Outcome> {
  /** The last record before this transaction; from then on no other transaction appends. */
  readonly lastRecord: () => Promise<AuditRecord | undefined>
  /** Whether the records of a unit stay, which has worked with this outcome. */
  readonly stays: (unit: Unit, worked: Outcome) => boolean
}

/**
 * The end of the audit trail, for units that share a transaction. Each record holds the hash of the one before, so the
 * units take turns: a turn begins with the first look at the end, and ends with the unit. By then it is decided whether
 * its records stay, so no record is ever chained to one that is dropped.
 */
export class SharedTrail<Unit extends Appending<Outcome>, Outcome> {
  readonly #lastRecord: TrailOptions<Unit, Outcome>['lastRecord']
  readonly #stays: TrailOptions<Unit, Outcome>['stays']
  /** When the turn of each unit begins. */
  readonly #turns = new Map<Unit, Promise<void>>()
  #lastTurn: Promise<void> = Promise.resolve()
  #kept: AuditRecord | undefined

  constructor({ lastRecord, stays }: TrailOptions<Unit, Outcome>) {
    this.#lastRecord = lastRecord
    this.#stays = stays
  }

  /** Resolves when every turn has ended. To be asked for when all units have worked. */
  get ended(): Promise<void> {
    return this.#lastTurn
  }

  /** The last record, in the unit's turn. */
  async last(unit: Unit): Promise<AuditRecord | undefined> {
    await this.#turnOf(unit)
    const before = this.#kept ?? (await this.#lastRecord())
    return unit.writes.records.at(-1) ?? before
  }

  #turnOf(unit: Unit): Promise<void> {
    const known = this.#turns.get(unit)
    if (known !== undefined) return known
    const turn = this.#lastTurn
    this.#turns.set(unit, turn)
    this.#lastTurn = this.#endAfter(turn, unit)
    return turn
  }

  async #endAfter(turn: Promise<void>, unit: Unit): Promise<void> {
    await turn
    if (this.#stays(unit, await unit.worked.promise)) this.#kept = unit.writes.records.at(-1) ?? this.#kept
  }
}
