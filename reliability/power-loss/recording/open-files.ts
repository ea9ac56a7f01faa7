import type { NodeId } from '../disk/happening.ts'

interface OpenFile {
  readonly node: NodeId
  position: number
}

/** What the descriptors of a process stand for, and where the next plain write goes. */
export class OpenFiles {
  readonly #files = new Map<number, OpenFile>()

  open(fd: number, node: NodeId, position: number): void {
    this.#files.set(fd, { node, position })
  }

  close(fd: number): void {
    this.#files.delete(fd)
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
