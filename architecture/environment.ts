import { isIdentifier, isNode, lineAt, literal, memberName, type Node, parse, walk } from './syntax.ts'

/** The lines on which a file reaches for the environment of the process, under whatever name. */
export function environmentReadsOf(path: string, source: string): number[] {
  const { program } = parse(path, source)
  const names = new Set(['process'])
  const lines = new Set<number>()
  const read = (node: Node) => lines.add(lineAt(source, node.start))
  const isProcess = (node: unknown): boolean =>
    isNode(node) && (memberName(node) === 'process' || [...names].some((name) => isIdentifier(node, name)))

  walk(program, (node) => {
    if (isProcessModule(node)) {
      for (const specifier of (node.specifiers ?? []) as Node[]) {
        if (specifier.type !== 'ImportSpecifier' && specifier.type !== 'ExportSpecifier') {
          names.add((specifier.local as Node).name as string)
        } else if (isIdentifier(specifier.imported ?? specifier.local, 'env')) read(specifier)
      }
    }
    if (memberName(node) === 'env' && isProcess(node.object)) read(node)
    if (node.type === 'VariableDeclarator' && isProcess(node.init)) {
      const target = node.id as Node
      if (target.type === 'Identifier') names.add(target.name as string)
      for (const property of (target.properties ?? []) as Node[]) {
        if (property.type === 'RestElement' || isIdentifier(property.key, 'env') || literal(property.key) === 'env') {
          read(property)
        }
      }
    }
  })
  return [...lines]
}

function isProcessModule({ type, source }: Node): boolean {
  return (
    (type === 'ImportDeclaration' || type === 'ExportNamedDeclaration') &&
    /^(node:)?process$/.test(literal(source) ?? '')
  )
}
