import { posix } from 'node:path'
import { importsOf } from './imports.ts'
import type { Tree } from './tree.ts'

/** One shortest circle of imports for each knot of files, from its first file by name back to it; types count. */
export function circlesIn(tree: Tree, counts: (path: string) => boolean): string[][] {
  const files = [...tree.keys()].filter(counts).sort()
  const targets = new Map(files.map((path) => [path, neighboursOf(path, tree).filter((target) => tree.has(target))]))
  const found: string[][] = []
  const known = new Set<string>()
  for (const path of files) {
    const circle = known.has(path) ? undefined : shortestCircle(path, targets)
    if (circle === undefined || circle.some((member) => known.has(member))) continue
    for (const member of circle) known.add(member)
    found.push(circle)
  }
  return found
}

const neighboursOf = (path: string, tree: Tree): string[] =>
  importsOf(path, tree.get(path) ?? '').flatMap(({ specifier }) =>
    specifier?.startsWith('.') ? [posix.join(posix.dirname(path), specifier)] : [],
  )

function shortestCircle(start: string, targets: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const paths = [[start]]
  const seen = new Set<string>()
  for (const path of paths) {
    for (const target of targets.get(path.at(-1) ?? start) ?? []) {
      if (target === start) return [...path, start]
      if (!seen.has(target)) paths.push([...path, target])
      seen.add(target)
    }
  }
  return undefined
}
