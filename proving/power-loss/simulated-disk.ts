import { FileNode, FolderNode } from './disk-node.ts'
import { type NodeId, type RecordedOperation, ROOT } from './operation.ts'
import type { Survival } from './survival.ts'

/** Everything below the root by its path; a folder is undefined. */
export type DiskContent = ReadonlyMap<string, Uint8Array | undefined>

/**
 * A disk that may lose everything that was not synced. A file's bytes are synced by `fsync` of the file, its name by
 * `fsync` of its folder, and by nothing else.
 */
export class SimulatedDisk {
  readonly #files = new Map<NodeId, FileNode>()
  readonly #folders = new Map<NodeId, FolderNode>([[ROOT, new FolderNode()]])

  apply(operation: RecordedOperation): void {
    const { moment } = operation
    switch (operation.kind) {
      case 'write':
      case 'resize':
        this.#file(operation.node).change(operation)
        return
      case 'folder':
        this.#folders.set(operation.node, new FolderNode())
        return
      case 'name':
        this.#folders.get(operation.folder)?.change({ moment, put: [operation.name, operation.node] })
        return
      case 'unname':
        this.#folders.get(operation.folder)?.change({ moment, remove: operation.name })
        return
      case 'rename':
        this.#folders
          .get(operation.folder)
          ?.change({ moment, put: [operation.to, operation.node], remove: operation.name })
        return
      case 'sync':
        ;(this.#folders.get(operation.node) ?? this.#file(operation.node)).settle(operation.begun)
        return
      default:
    }
  }

  /** The moments of all changes that may still be lost. */
  pending(): number[] {
    return [...this.#files.values(), ...this.#folders.values()].flatMap((node) => node.moments())
  }

  /** The content after a power loss now. */
  contentAfter(survival: Survival): DiskContent {
    const content = new Map<string, Uint8Array | undefined>()
    this.#collect(content, '', ROOT, survival)
    return content
  }

  #file(node: NodeId): FileNode {
    const known = this.#files.get(node)
    if (known !== undefined) return known
    const file = new FileNode()
    this.#files.set(node, file)
    return file
  }

  #collect(content: Map<string, Uint8Array | undefined>, path: string, node: NodeId, survival: Survival): void {
    for (const [name, child] of this.#folders.get(node)?.entriesAfter(survival) ?? []) {
      const childPath = path === '' ? name : `${path}/${name}`
      const isFolder = this.#folders.has(child)
      content.set(childPath, isFolder ? undefined : this.#file(child).bytesAfter(survival))
      if (isFolder) this.#collect(content, childPath, child, survival)
    }
  }
}
