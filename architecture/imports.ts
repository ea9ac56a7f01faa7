import { isIdentifier, isNode, lineAt, literal, memberName, type Node, parse, walk } from './syntax.ts'

export interface Import {
  /** `undefined`: no reader of the source can tell what is imported. */
  specifier: string | undefined
  line: number
}

const LOADERS = ['require', 'createRequire', 'getBuiltinModule']

const known = new Map<string, Import[]>()

/** Every way a file can reach another module, types included. */
export function importsOf(path: string, source: string): Import[] {
  const key = `${path}\0${source}`
  const found = known.get(key) ?? read(path, source)
  known.set(key, found)
  return found
}

function read(path: string, source: string): Import[] {
  const { program, comments, broken } = parse(path, source)
  const found = new Map<string, Import>()
  const add = ({ start }: { start: number }, specifier: string | undefined) => {
    const line = lineAt(source, start)
    found.set(`${line} ${specifier}`, { specifier, line })
  }
  const understood = new Set<unknown>()

  if (broken) add(program, undefined)
  for (const comment of comments) {
    const [, kind, target] = /^\/\s*<reference\s+(types|path)=["']([^"']+)/.exec(comment.value) ?? []
    if (target !== undefined) add(comment, kind === 'path' ? `./${target}` : target)
  }
  walk(program, (node, isName) => {
    if (node.type === 'CallExpression' && isLoader(node.callee)) {
      add(node, literal((node.arguments as Node[])[0]))
      understood.add(node.callee)
      if (isNode(node.callee)) understood.add(node.callee.object)
    } else if (!understood.has(node)) {
      // A loader that is kept, passed on or renamed can load anything later.
      if (isLoaderMember(node) || (!isName && LOADERS.some((name) => isIdentifier(node, name)))) add(node, undefined)
      else if (declares(node)) add(node, literal(declares(node)))
    }
  })
  return [...found.values()]
}

/** The node that holds the specifier, where this one is an import by its syntax. */
function declares(node: Node): Node | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return (node.source ?? node.argument) as Node | undefined
    case 'TSExternalModuleReference':
      return node.expression as Node
    case 'TSModuleDeclaration':
      return (node.id as Node).type === 'Literal' ? (node.id as Node) : undefined
    default:
      return undefined
  }
}

const isLoader = (node: unknown): boolean => isIdentifier(node, 'require') || isLoaderMember(node)

/** `require.resolve`, `import.meta.resolve` and `process.getBuiltinModule`, called or not. */
function isLoaderMember(node: unknown): boolean {
  if (!isNode(node)) return false
  const name = memberName(node)
  if (name === 'getBuiltinModule') return true
  return name === 'resolve' && ((node.object as Node).type === 'MetaProperty' || isIdentifier(node.object, 'require'))
}
