import path from 'node:path'
import { type NodeId, ROOT } from './operation.ts'
import type { Survival } from './survival.ts'

export type FileChange = { readonly moment: number } & (
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'resize'; readonly size: number }
)

/** The part of a change that reaches the disk; the file may have grown without its bytes being written. */
export type Arrival = FileChange | { readonly kind: 'growth'; readonly size: number; readonly fill: Uint8Array }

const MORE_THAN_ENOUGH = 2

/** A part of the disk: what of it is durable, and the changes that may be lost. */
abstract class DiskNode<Change extends { readonly moment: number }> {
  protected pending: Change[] = []

  protected abstract take(change: Change): void

  change(change: Change): void {
    this.pending.push(change)
  }

  moments(): number[] {
    return this.pending.map(({ moment }) => moment)
  }

  /** Makes every change before that moment durable. */
  settle(before: number): void {
    for (const change of this.pending) if (change.moment < before) this.take(change)
    this.pending = this.pending.filter(({ moment }) => moment >= before)
  }
}

export class FileNode extends DiskNode<FileChange> {
  readonly #settled = new GrowingBytes()

  protected take(change: FileChange): void {
    this.#settled.take(change)
  }

  bytesAfter(survival: Survival): Uint8Array {
    const bytes = this.#settled.copy()
    for (const change of this.pending) for (const arrival of survival.arrivalsOf(change)) bytes.take(arrival)
    return bytes.content
  }
}

class GrowingBytes {
  #bytes = new Uint8Array(0)
  #size = 0

  get content(): Uint8Array {
    return this.#bytes.subarray(0, this.#size)
  }

  copy(): GrowingBytes {
    const copy = new GrowingBytes()
    copy.#bytes = this.content.slice()
    copy.#size = this.#size
    return copy
  }

  take(arrival: Arrival): void {
    if (arrival.kind === 'resize') this.#resize(arrival.size)
    else if (arrival.kind === 'growth') this.#grow(arrival.size, arrival.fill)
    else {
      this.#resize(Math.max(this.#size, arrival.offset + arrival.bytes.length))
      this.#bytes.set(arrival.bytes, arrival.offset)
    }
  }

  #grow(size: number, fill: Uint8Array): void {
    const old = this.#size
    if (size <= old) return
    this.#resize(size)
    for (let at = old; at < size; at++) this.#bytes[at] = fill[at % fill.length] ?? 0
  }

  #resize(size: number): void {
    if (size < this.#size) this.#bytes.fill(0, size, this.#size)
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(size * MORE_THAN_ENOUGH)
      larger.set(this.content)
      this.#bytes = larger
    }
    this.#size = size
  }
}

/** An atomic change to the names in a folder. */
export interface FolderChange {
  readonly moment: number
  readonly put?: readonly [name: string, node: NodeId]
  readonly remove?: string
}

export class FolderNode extends DiskNode<FolderChange> {
  readonly #settled = new Map<string, NodeId>()

  protected take(change: FolderChange): void {
    take(this.#settled, change)
  }

  entriesAfter(survival: Survival): ReadonlyMap<string, NodeId> {
    const entries = new Map(this.#settled)
    for (const change of this.pending) if (survival.keepsName(change)) take(entries, change)
    return entries
  }
}

const take = (entries: Map<string, NodeId>, { put, remove }: FolderChange): void => {
  if (remove !== undefined) entries.delete(remove)
  if (put !== undefined) entries.set(...put)
}

export interface Location {
  readonly folder: NodeId
  readonly name: string
}

/** The current names below one folder of the real disk. */
export class Folders {
  readonly #root: string
  readonly #entries = new Map<NodeId, Map<string, NodeId>>([[ROOT, new Map()]])
  #last: NodeId = ROOT

  constructor(root: string) {
    this.#root = root
  }

  newNode(): NodeId {
    return ++this.#last
  }

  newFolder(): NodeId {
    const node = this.newNode()
    this.#entries.set(node, new Map())
    return node
  }

  /** Undefined for a path that is not below the root, or whose folder does not exist. */
  locate(file: string): Location | undefined {
    const steps = path.relative(this.#root, path.resolve(file)).split(path.sep)
    const name = steps.pop() ?? ''
    if (steps[0] === '..' || name === '..' || name === '') return undefined
    let folder: NodeId | undefined = ROOT
    for (const step of steps) folder = folder === undefined ? undefined : this.#entries.get(folder)?.get(step)
    return folder === undefined || !this.#entries.has(folder) ? undefined : { folder, name }
  }

  /** The file or folder of that name, if there is one. */
  find(file: string): NodeId | undefined {
    if (path.resolve(file) === this.#root) return ROOT
    const location = this.locate(file)
    return location && this.at(location)
  }

  at({ folder, name }: Location): NodeId | undefined {
    return this.#entries.get(folder)?.get(name)
  }

  put({ folder, name }: Location, node: NodeId): void {
    this.#entries.get(folder)?.set(name, node)
  }

  remove({ folder, name }: Location): void {
    this.#entries.get(folder)?.delete(name)
  }
}
