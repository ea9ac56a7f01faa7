import type { NodeId } from './happening.ts'
import type { Survival } from './survival.ts'

/** Something done to the names in a folder, all of it or nothing. */
export interface FolderChange {
  readonly moment: number
  readonly put?: readonly [name: string, node: NodeId]
  readonly remove?: string
}

/** A folder: the names that are there for good, and the changes to them that may get lost. */
export class FolderNode {
  readonly #settled = new Map<string, NodeId>()
  #pending: FolderChange[] = []

  change(change: FolderChange): void {
    this.#pending.push(change)
  }

  pending(): number[] {
    return this.#pending.map(({ moment }) => moment)
  }

  /** Whatever was done before that moment is there for good. */
  settle(before: number): void {
    for (const change of this.#pending) if (change.moment < before) take(this.#settled, change)
    this.#pending = this.#pending.filter(({ moment }) => moment >= before)
  }

  entriesAfter(survival: Survival): ReadonlyMap<string, NodeId> {
    const entries = new Map(this.#settled)
    for (const change of this.#pending) if (survival.keepsName(change)) take(entries, change)
    return entries
  }
}

const take = (entries: Map<string, NodeId>, { put, remove }: FolderChange): void => {
  if (remove !== undefined) entries.delete(remove)
  if (put !== undefined) entries.set(...put)
}
