import { FileNode } from '../disk/file-node.ts'
import type { Happening, NodeId } from '../disk/happening.ts'
import { everything } from '../disk/survival.ts'

export const isMail = (name: string): boolean => name.endsWith('.eml') && !name.startsWith('.')

export interface WholeMail {
  readonly bytes: Uint8Array
  /** Which happening removed it. */
  readonly removedBy: number | undefined
}

/** Every mail that was ever written as a file, by the name of its file. */
export const wholeMails = (happenings: readonly Happening[]): ReadonlyMap<string, WholeMail> => {
  const files = new Map<NodeId, FileNode>()
  const nodes = new Map<string, NodeId>()
  const removals = new Map<string, number>()
  for (const [place, happening] of happenings.entries()) {
    const { kind } = happening
    if (kind === 'write' || kind === 'resize') {
      const file = files.get(happening.node) ?? new FileNode()
      files.set(happening.node, file)
      file.change(happening)
    }
    if (kind === 'name' && isMail(happening.name)) nodes.set(happening.name, happening.node)
    if (kind === 'rename' && isMail(happening.to)) nodes.set(happening.to, happening.node)
    if (kind === 'unname' && isMail(happening.name)) removals.set(happening.name, place)
  }
  const bytesOf = (node: NodeId): Uint8Array => files.get(node)?.bytesAfter(everything) ?? new Uint8Array()
  return new Map([...nodes].map(([name, node]) => [name, { bytes: bytesOf(node), removedBy: removals.get(name) }]))
}
