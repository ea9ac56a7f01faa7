import { FileNode } from '../disk/file-node.ts'
import type { Happening, NodeId } from '../disk/happening.ts'
import { everything } from '../disk/survival.ts'

export const isMail = (name: string): boolean => name.endsWith('.eml') && !name.startsWith('.')

export interface WholeMail {
  readonly bytes: Uint8Array
  /** Which happening gave it its name. */
  readonly namedBy: number
}

/** Every mail that was ever written as a file, by the name of its file. */
export const wholeMails = (happenings: readonly Happening[]): ReadonlyMap<string, WholeMail> => {
  const files = new Map<NodeId, FileNode>()
  const names = new Map<string, { node: NodeId; namedBy: number }>()
  for (const [namedBy, happening] of happenings.entries()) {
    const { kind } = happening
    if (kind === 'write' || kind === 'resize') {
      const file = files.get(happening.node) ?? new FileNode()
      files.set(happening.node, file)
      file.change(happening)
    }
    if (kind === 'name' && isMail(happening.name)) names.set(happening.name, { node: happening.node, namedBy })
    if (kind === 'rename' && isMail(happening.to)) names.set(happening.to, { node: happening.node, namedBy })
  }
  const bytesOf = (node: NodeId): Uint8Array => files.get(node)?.bytesAfter(everything) ?? new Uint8Array()
  return new Map([...names].map(([name, { node, namedBy }]) => [name, { bytes: bytesOf(node), namedBy }]))
}
