import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

/** What a module exports: its declaration, and what its comment says. */
export interface Exported {
  readonly name: string
  readonly comment: string
  readonly text: string
}

/** A node of the syntax tree, as far as it matters here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly declaration?: Node | null
  readonly declarations?: readonly Node[]
  readonly source?: { readonly value: string } | null
  readonly specifiers?: readonly { readonly local: Named; readonly exported: Named }[]
  readonly id?: Named
}

type Named = { readonly name?: string; readonly value?: string }

const nameOf = ({ name, value }: Named): string => name ?? value ?? ''

const known = new Map<string, ReadonlyMap<string, Exported>>()

/** Everything that a file of declarations exports, by its name; of other packages nothing. */
export const exportsOf = (file: string): ReadonlyMap<string, Exported> => {
  const before = known.get(file)
  if (before !== undefined) return before
  const source = readFileSync(file, 'utf8')
  const { program, comments } = parseSync(file, source, { lang: 'dts', sourceType: 'module' })
  const found = new Map<string, Exported>()
  known.set(file, found)
  const body = program.body as unknown as readonly Node[]
  const commentBefore = (start: number): string => {
    const comment = comments.findLast(({ end }) => end <= start && source.slice(end, start).trim() === '')
    return comment?.value.startsWith('*') === true ? comment.value : ''
  }
  const declared = new Map<string, Exported>()
  for (const node of body) {
    const it = node.type === 'ExportNamedDeclaration' ? (node.declaration ?? undefined) : node
    for (const { id } of it?.declarations ?? (it === undefined ? [] : [it])) {
      if (id === undefined || id === null) continue
      const one = { name: nameOf(id), comment: commentBefore(node.start), text: source.slice(node.start, node.end) }
      declared.set(one.name, one)
      if (node.type === 'ExportNamedDeclaration') found.set(one.name, one)
    }
  }
  for (const { type, source: from, specifiers = [] } of body) {
    const others = from ? otherFile(file, from.value) : undefined
    if (type === 'ExportAllDeclaration') {
      for (const [name, one] of others === undefined ? [] : exportsOf(others)) found.set(name, one)
    } else if (type === 'ExportNamedDeclaration') {
      for (const { local, exported } of specifiers) {
        const one = (from ? (others === undefined ? undefined : exportsOf(others)) : declared)?.get(nameOf(local))
        if (one !== undefined) found.set(nameOf(exported), { ...one, name: nameOf(exported) })
      }
    }
  }
  return found
}

const otherFile = (file: string, specifier: string): string | undefined => {
  if (!specifier.startsWith('.')) return undefined
  const other = path.resolve(path.dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts'))
  return existsSync(other) ? other : undefined
}
