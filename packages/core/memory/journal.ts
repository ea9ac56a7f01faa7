import type { DirectedStretch, Page } from '../src/index.ts'

/** Remembers how to undo what a unit of work did. */
export class Journal {
  #undos: (() => void)[] = []

  note(undo: () => void): void {
    this.#undos.push(undo)
  }

  /** What was done stays. */
  forget(): void {
    this.#undos = []
  }

  /** As if nothing had been done since the last `forget`. */
  rollBack(): void {
    for (const undo of this.#undos.reverse()) undo()
    this.forget()
  }
}

/**
 * A table: rows in order of their first insertion, each with a position that is never reused. Its copy of the committed
 * state is what readers outside a unit see.
 */
export class Table<Key, Row> {
  readonly #journal: Journal
  readonly #rows = new Map<Key, { readonly key: Key; readonly position: number; readonly row: Row }>()
  #last = 0

  constructor(journal: Journal) {
    this.#journal = journal
  }

  get(key: Key): Row | undefined {
    return this.#rows.get(key)?.row
  }

  /** Those of these keys that are there. */
  pick<Wanted extends Key>(keys: readonly Wanted[]): ReadonlyMap<Wanted, Row> {
    return new Map(
      keys.flatMap((key): [Wanted, Row][] => {
        const row = this.get(key)
        return row === undefined ? [] : [[key, row]]
      }),
    )
  }

  set(key: Key, row: Row): void {
    const before = this.#rows.get(key)
    this.#rows.set(key, { key, position: before?.position ?? ++this.#last, row })
    this.#journal.note(() => (before ? this.#rows.set(key, before) : this.#rows.delete(key)))
  }

  delete(key: Key): void {
    const before = this.#rows.get(key)
    if (!before) return
    this.#rows.delete(key)
    this.#journal.note(() => this.#rows.set(key, before))
  }

  /** Deletes the row; whether it was there. */
  take(key: Key): boolean {
    const found = this.#rows.has(key)
    this.delete(key)
    return found
  }

  /** Deletes up to `limit` rows that match, oldest first, and says how many. */
  prune(matches: (row: Row) => boolean, limit = Number.POSITIVE_INFINITY): number {
    const old = this.#entries().filter(({ row }) => matches(row))
    const pruned = old.slice(0, limit)
    for (const { key } of pruned) this.delete(key)
    return pruned.length
  }

  /** Oldest first. */
  rows(): Row[] {
    return this.#entries().map(({ row }) => row)
  }

  /** The same, each with its key. */
  entries(): [Key, Row][] {
    return this.#entries().map(({ key, row }) => [key, row])
  }

  /** The stretch of the rows that match. */
  page(
    { after, limit, downwards }: DirectedStretch,
    matches: (row: Row) => boolean = () => true,
    placeOf: (row: Row, position: number) => number = (_, position) => position,
  ): Page<Row> {
    const found = this.#entries()
      .map(({ row, position }) => ({ row, place: placeOf(row, position) }))
      .filter(({ place, row }) => (downwards ? place < after : place > after) && matches(row))
      .sort((a, b) => (downwards ? b.place - a.place : a.place - b.place))
    const shown = found.slice(0, limit)
    return { items: shown.map(({ row }) => row), next: found.length > limit ? shown.at(-1)?.place : undefined }
  }

  #entries() {
    return [...this.#rows.values()].sort((a, b) => a.position - b.position)
  }
}
