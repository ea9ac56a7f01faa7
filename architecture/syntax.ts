import { type Comment, parseSync } from 'oxc-parser'

/** A node of the syntax tree, as far as these rules care: a type, a place, and whatever else hangs on it. */
export interface Node {
  type: string
  start: number
  [property: string]: unknown
}

interface Syntax {
  program: Node
  comments: Comment[]
  broken: boolean
}

const parsed = new Map<string, Syntax>()

export function parse(path: string, source: string): Syntax {
  const key = `${path}\0${source}`
  const known = parsed.get(key)
  if (known) return known
  const { program, comments, errors } = parseSync(path, source, { sourceType: 'module' })
  const syntax = { program: program as unknown as Node, comments, broken: errors.length > 0 }
  parsed.set(key, syntax)
  return syntax
}

/** Calls `visit` with every node, parents before children; `isName` says the node only names a member or a key. */
export function walk(node: Node, visit: (node: Node, isName: boolean) => void, isName = false): void {
  visit(node, isName)
  for (const [property, value] of Object.entries(node)) {
    const names = (property === 'property' || property === 'key') && node.computed !== true
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, names)
  }
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** The text of a string literal or of a template without holes; anything else is decided only when it runs. */
export function literal(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TSLiteralType') return literal(node.literal)
  const quasis = node.type === 'TemplateLiteral' ? (node.quasis as { value: { cooked: string } }[]) : []
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined
}

/** `name` of `object.name` and of `object['name']`. */
export function memberName(node: Node): string | undefined {
  if (node.type !== 'MemberExpression' || !isNode(node.property)) return undefined
  return node.computed === true ? literal(node.property) : (node.property.name as string)
}

export const isIdentifier = (node: unknown, name: string): node is Node =>
  isNode(node) && node.type === 'Identifier' && node.name === name

export const lineAt = (source: string, offset: number): number => source.slice(0, offset).split('\n').length
