import { circlesIn } from './circles.ts'
import { environmentReadsOf } from './environment.ts'
import { type Import, importsOf } from './imports.ts'
import { type Manifest, manifestAt, type Place, placeOf, type Target, type Tree, targetOf } from './tree.ts'

interface Rule {
  name: string
  /** One line per violation, each beginning with the path of the file at fault. */
  violations(tree: Tree): string[]
}

/** Plain CommonJS that runs before anything else, under any Node.js. */
const LAUNCHER = 'packages/rollcall/bin/'
const CONTAINER = ['packages/app/src/container.ts', 'packages/app/src/tokens.ts']
const ADAPTERS = [
  'http-koa',
  'http-console',
  'scim',
  'cli',
  'storage-sql',
  'mail',
  'access-token',
  'proof-of-work',
  'webhook',
  'feedback-ses',
  'feedback-webhooks',
]
/** What adapters share of Node.js: it imports no other package. */
const LEAF = 'platform-node'
/** The public HTTP contract, as any client of the service has it: no adapter, because it knows neither core nor ports. */
const CLIENT = 'client'
const MAY_IMPORT: Record<string, string[] | undefined> = {
  core: [],
  [LEAF]: [],
  [CLIENT]: [],
  ...Object.fromEntries(ADAPTERS.map((adapter) => [adapter, ['core', LEAF]])),
  cli: ['core', LEAF, CLIENT],
  app: [...ADAPTERS, 'core', LEAF, CLIENT],
  rollcall: ['app'],
}

export const rules: Rule[] = [
  {
    name: 'every import can be read from the source',
    violations: everyFile((path, source) =>
      importsOf(path, source)
        .filter(({ specifier }) => specifier === undefined && !path.startsWith(LAUNCHER))
        .map(({ line }) => `${path}:${line} imports what only running it would tell`),
    ),
  },
  {
    name: 'imports run one way: app, adapters, core',
    violations: everyImport(({ from, to }) => {
      if (to.kind !== 'workspace' || to.package === from.package || areAdapters(from, to)) return true
      return isCommandLineTested(from, to) || (MAY_IMPORT[from.package]?.includes(to.package) ?? false)
    }),
  },
  {
    name: 'adapters never import one another',
    violations: everyImport(({ from, to }) => !areAdapters(from, to)),
  },
  {
    name: 'core/src and core/memory import nothing outside core',
    violations: everyImport(({ from, to }) => {
      if (from.package !== 'core' || from.isTest || !['src', 'memory'].includes(from.room)) return true
      return isCore(to)
    }),
  },
  {
    name: 'core/contract imports nothing but Vitest and core',
    violations: everyImport(({ from, to }) => {
      if (from.package !== 'core' || from.isTest || from.room !== 'contract') return true
      return isCore(to) || (to.kind === 'external' && to.name === 'vitest')
    }),
  },
  {
    name: 'nothing that ships imports core/contract',
    violations: everyImport(({ from, to }) => {
      if (from.isTest || (from.package === 'core' && from.room === 'contract')) return true
      return !(isCore(to) && to.room === 'contract')
    }),
  },
  {
    name: 'only the container and its tokens know inversify',
    violations: everyImport(
      ({ path, to }) =>
        CONTAINER.includes(path) ||
        to.kind !== 'external' ||
        !(to.name === 'inversify' || to.name.startsWith('@inversifyjs/') || to.name === 'reflect-metadata'),
    ),
  },
  {
    name: 'only config.ts reads process.env',
    violations: everyFile((path, source, { isTest }) =>
      isTest || path === 'packages/app/src/config.ts' || path.startsWith(LAUNCHER)
        ? []
        : environmentReadsOf(path, source).map((line) => `${path}:${line} reads process.env`),
    ),
  },
  {
    name: 'a package imports only what its own package.json declares',
    violations: everyImport(({ from, to, tree }) => {
      if (to.kind === 'builtin') return true
      const name = to.kind === 'workspace' ? to.declaredAs : to.name
      return name !== undefined && declaredFor(from, tree).has(name)
    }),
  },
  {
    // Vitest is for those who run the contract suites, and only for them.
    name: "core's package.json asks for nothing but, where there is one, Vitest",
    violations: (tree) => {
      const path = 'packages/core/package.json'
      const manifest = manifestAt(tree, path)
      const isOptional = (name: string) => name === 'vitest' && manifest.peerDependenciesMeta?.[name]?.optional === true
      return Object.keys(shippedWith(manifest))
        .filter((name) => !isOptional(name) || manifest.dependencies?.[name] !== undefined)
        .map((name) => `${path} depends on ${name}`)
    },
  },
  {
    name: 'no imports run in a circle',
    violations: (tree) => {
      const counts = (path: string) => !path.endsWith('package.json')
      return circlesIn(tree, counts).map((circle) => circle.join(' imports '))
    },
  },
]

function everyFile(check: (path: string, source: string, place: Place, tree: Tree) => string[]): Rule['violations'] {
  return (tree) =>
    [...tree]
      .filter(([path]) => !path.endsWith('package.json'))
      .flatMap(([path, source]) => check(path, source, placeOf(path), tree))
}

interface Crossing {
  path: string
  from: Place
  to: Target
  tree: Tree
}

function everyImport(allows: (crossing: Crossing) => boolean): Rule['violations'] {
  return everyFile((path, source, from, tree) =>
    importsOf(path, source)
      .filter((found): found is Import & { specifier: string } => found.specifier !== undefined)
      .filter(({ specifier }) => !allows({ path, from, to: targetOf(path, specifier), tree }))
      .map(({ specifier, line }) => `${path}:${line} imports ${specifier}`),
  )
}

/** The tests of the command line run it over the HTTP interface, as the application does. */
const isCommandLineTested = (from: Place, to: Target): boolean =>
  from.package === 'cli' && from.isTest && to.kind === 'workspace' && to.package === 'http-koa'

const areAdapters = (from: Place, to: Target): boolean =>
  !isCommandLineTested(from, to) &&
  to.kind === 'workspace' &&
  to.package !== from.package &&
  ADAPTERS.includes(from.package) &&
  ADAPTERS.includes(to.package)

const isCore = (to: Target): to is Target & { kind: 'workspace' } => to.kind === 'workspace' && to.package === 'core'

const shippedWith = (manifest: Manifest) => ({
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...manifest.peerDependencies,
})

/**
 * Tests and contract suites may use the development tools of their package and of the root as well; so may what lies in
 * no room of a package, but beside them: how it is built, and how its tests are run.
 */
function declaredFor(from: Place, tree: Tree): Set<string> {
  const own = manifestAt(tree, `packages/${from.package}/package.json`)
  const tools =
    from.isTest || from.room === 'contract' || from.room === ''
      ? { ...own.devDependencies, ...manifestAt(tree, 'package.json').devDependencies }
      : {}
  return new Set([`@rollcall/${from.package}`, ...Object.keys(shippedWith(own)), ...Object.keys(tools)])
}
