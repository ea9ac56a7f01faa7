import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { openApiDocument } from '../../packages/http-koa/src/index.ts'
import { ClientOperation, type Components, type Described } from './operation-text.ts'
import { commentText, type JsonSchema, nameIn, typeText } from './type-text.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const BIOME = path.join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
/** Where the files are, from the root. */
export const GENERATED = 'packages/client/generated'

const HEAD = "// Made from the OpenAPI document by 'npm run generate'. Do not edit.\n\n"

/** `fetch` sends no TRACE. */
const UNREACHABLE = 'trace'

/** The files of the client that follow from the OpenAPI document, by their names, formatted. */
export const clientFiles = (): ReadonlyMap<string, string> => {
  const { components, paths } = openApiDocument('https://rollcall.example') as unknown as {
    readonly components: Components
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  const operations = Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== UNREACHABLE)
      .map(([method, described]) => new ClientOperation(method, at, described, components)),
  )
  const types = operations.map((operation) => operation.types).join('')
  const used = schemasIn(types, components)
  const files = {
    'schemas.ts': [...used].sort().map((name) => schemaText(name, components.schemas[name] ?? {})),
    'operations.ts': [
      "import type { FileBody, Picture } from '../src/file-body.ts'\n",
      `import type { ${[...named(types, components)].sort(asImported).join(', ')} } from './schemas.ts'\n\n`,
      '/** What each operation takes and answers, by its `operationId`. */\n',
      `export interface Operations {\n${types}}\n`,
    ],
    'routes.ts': [
      '/** How each operation is asked for: its method and path, and what the client must know of it besides. */\n',
      `export const ROUTES = {\n${operations.map(({ id, route }) => `${id}: ${JSON.stringify(route)},\n`).join('')}}\n`,
    ],
  }
  return new Map(Object.entries(files).map(([name, pieces]) => [name, formatted(name, HEAD + pieces.join(''))]))
}

const schemaText = (name: string, schema: JsonSchema): string => {
  const comment = commentText(schema.description)
  if (schema.properties !== undefined) return `${comment}export interface ${name} ${typeText(schema)}\n\n`
  // A host may have roles of its own.
  const more = name === 'Role' ? ' | (string & Record<never, never>)' : ''
  return `${comment}export type ${name} = ${typeText(schema)}${more}\n\n`
}

/** The names of schemas that a text has. */
const named = (text: string, { schemas }: Components): Set<string> =>
  new Set(Object.keys(schemas).filter((name) => new RegExp(`(?<!["\\w])${name}(?!["\\w])`).test(withoutComments(text))))

const withoutComments = (text: string): string => text.replaceAll(/\/\*\*.*?\*\//gs, '')

/** The same, and those that these schemas refer to. */
const schemasIn = (text: string, components: Components): Set<string> => {
  const found = named(text, components)
  for (const name of found)
    for (const [, $ref = ''] of JSON.stringify(components.schemas[name]).matchAll(/"\$ref":"([^"]+)"/g))
      found.add(nameIn($ref))
  return found
}

const formatted = (name: string, text: string): string =>
  execFileSync(process.execPath, [BIOME, 'format', `--stdin-file-path=${path.join(ROOT, GENERATED, name)}`], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  })

/** The order that the linter has for names: of letters first, and of their case only if they are the same. */
const asImported = (a: string, b: string): number => {
  const [lowerA, lowerB] = [a.toLowerCase(), b.toLowerCase()]
  if (lowerA !== lowerB) return lowerA < lowerB ? -1 : 1
  return a < b ? -1 : 1
}
