import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, posix } from 'node:path'

/** Path from the root, with forward slashes, to text: every source file and every package.json. */
export type Tree = ReadonlyMap<string, string>

export function readTree(root: string): Tree {
  const patterns = ['package.json', 'packages/*/package.json', 'packages/**/*.{ts,mts,cts,tsx,js,mjs,cjs}']
  const paths = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8')]))
}

export interface Place {
  package: string
  /** The directory below the package's own: `src`, `memory`, `contract`, `test`, `bin`. */
  room: string
  isTest: boolean
}

export function placeOf(path: string): Place {
  const [, name = '', ...rest] = path.split('/')
  const room = rest.length > 1 ? (rest[0] ?? '') : ''
  return { package: name, room, isTest: room === 'test' || path.endsWith('.test.ts') }
}

export type Target =
  | { kind: 'workspace'; package: string; room: string; declaredAs: string | undefined }
  | { kind: 'builtin' | 'external' | 'astray'; name: string }

const SCOPE = '@rollcall/'

/** Where an import leads. A relative one that leaves its package keeps no `declaredAs`: no package.json allows it. */
export function targetOf(from: string, specifier: string): Target {
  if (/^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..') {
    const path = posix.join(posix.dirname(from), specifier)
    if (specifier.startsWith('/') || !path.startsWith('packages/')) return { kind: 'astray', name: specifier }
    const here = placeOf(from).package
    const { package: name, room } = placeOf(path)
    return { kind: 'workspace', package: name, room, declaredAs: name === here ? SCOPE + name : undefined }
  }
  if (isBuiltin(specifier)) return { kind: 'builtin', name: specifier }
  const segments = specifier.split('/')
  const name = segments.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
  if (!name.startsWith(SCOPE)) return { kind: 'external', name }
  return { kind: 'workspace', package: name.slice(SCOPE.length), room: segments[2] ?? 'src', declaredAs: name }
}

export interface Manifest {
  name?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export const manifestAt = (tree: Tree, path: string): Manifest => JSON.parse(tree.get(path) ?? '{}')
