import path from 'node:path'
import { type NodeId, ROOT } from './happening.ts'

export interface Location {
  readonly folder: NodeId
  readonly name: string
}

/** Which name leads where at the moment, below one folder of the real disk. */
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

  /** Undefined where it is not below the root, or its folder is not there. */
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
