import { FileNode } from '../disk/file-node.ts'
import type { Happening, NodeId } from '../disk/happening.ts'
import { everything } from '../disk/survival.ts'

export const isMail = (name: string): boolean => name.endsWith('.eml') && !name.startsWith('.')

/** Every mail that was ever written as a file, whole, by the name of its file. */
export const wholeMails = (happenings: readonly Happening[]): ReadonlyMap<string, Uint8Array> => {
  const files = new Map<NodeId, FileNode>()
  const names = new Map<string, NodeId>()
  for (const happening of happenings) {
    const { kind } = happening
    if (kind === 'write' || kind === 'resize') {
      const file = files.get(happening.node) ?? new FileNode()
      files.set(happening.node, file)
      file.change(happening)
    }
    if (kind === 'name' && isMail(happening.name)) names.set(happening.name, happening.node)
    if (kind === 'rename' && isMail(happening.to)) names.set(happening.to, happening.node)
  }
  return new Map([...names].map(([name, node]) => [name, files.get(node)?.bytesAfter(everything) ?? new Uint8Array()]))
}
