import type { NodeId } from '../disk/happening.ts'

interface OpenFile {
  readonly node: NodeId
  readonly since: number
  position: number
}

/** What the descriptors of a process stand for, and where the next plain write goes. */
export class OpenFiles {
  readonly #files = new Map<number, OpenFile>()

  open(fd: number, node: NodeId, position: number, since: number): void {
    this.#files.set(fd, { node, position, since })
  }

  /** Before a `close` has returned, another thread may have been given the same descriptor anew. */
  close(fd: number, begun: number): void {
    const file = this.#files.get(fd)
    if (file !== undefined && file.since < begun) this.#files.delete(fd)
  }

  node(fd: number): NodeId | undefined {
    return this.#files.get(fd)?.node
  }

  /** Where a plain write of so many bytes goes. */
  advance(fd: number, length: number): number {
    const file = this.#files.get(fd)
    if (file === undefined) return 0
    file.position += length
    return file.position - length
  }
}
