import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { buildApplication } from '../packages/rollcall/build.ts'
import { billOfMaterials, type Lockfile } from './bill-of-materials.ts'

/**
 * Packs every package as it is published, and leaves the tarballs in one folder: `tarballs`, or the one that is named; and
 * beside each its bill of materials.
 * Packages are staged outside of their folders: what is in the repository is never changed, and never a build.
 *
 *     npm run pack
 *     npm run pack -- /tmp/somewhere
 */

const ROOT = path.join(import.meta.dirname, '..')
const [named = path.join(ROOT, 'tarballs'), ...others] = process.argv.slice(2)
if (named.startsWith('-') || others.length > 0) {
  process.stderr.write('error: Name one folder, or none: npm run pack -- /tmp/somewhere\n')
  process.exit(2)
}
const into = path.resolve(named)
const PACKAGES = path.join(ROOT, 'packages')
const CACHE = path.join(ROOT, 'node_modules/.cache')
mkdirSync(CACHE, { recursive: true })
const SCRATCH = mkdtempSync(path.join(CACHE, 'pack-'))
const COMPILED = path.join(SCRATCH, 'compiled')
const STAGE = path.join(SCRATCH, 'staged')
const APPLICATION = 'rollcall'

/** What of a package ships beside what is compiled. The compiler copies JSON files only now and then. */
const FILES = ['templates/**/*.*', 'src/**/*.json']

type Dependencies = Readonly<Record<string, string>>

interface Manifest extends Record<string, unknown> {
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Dependencies
  readonly repository?: object
}

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))

const writeManifest = (folder: string, manifest: object): void =>
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)

const { repository } = readManifest(ROOT)
const LOCKFILE: Lockfile = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'))

/** What all packages say alike when they are published. */
const common = (name: string) => ({
  repository: { ...repository, directory: `packages/${name}` },
  // The first Node.js whose SQLite keeps the promises; what uses none runs on older ones.
  engines: { node: name === 'rollcall' ? '>=24.15.0' : '>=22.12.0' },
  publishConfig: { access: 'public', provenance: true },
})

const compile = (): void => {
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  const options = ['-p', 'tsconfig.build.json', '--outDir', COMPILED]
  execFileSync(process.execPath, [compiler, ...options], { cwd: ROOT, stdio: 'inherit' })
  for (const name of globSync('**/*.d.ts', { cwd: COMPILED })) restoreAttributes(path.join(COMPILED, name))
}

/** The compiler leaves out of a declaration what an import of JSON must say under `nodenext`. */
const restoreAttributes = (file: string): void => {
  const text = readFileSync(file, 'utf8')
  const whole = text.replace(/^(import \w+ from '[^']+\.json');/gm, "$1 with { type: 'json' };")
  if (whole !== text) writeFileSync(file, whole)
}

/** `./src/index.ts` is published as `./dist/src/index.js` with its types; anything else as it is. */
const publishedExport = (source: string) => {
  if (!source.endsWith('.ts')) return source
  const built = source.replace(/^\.\//, './dist/').replace(/\.ts$/, '')
  return { types: `${built}.d.ts`, default: `${built}.js` }
}

/** The repository pins every version; a host may use later ones that are compatible. */
const compatible = (dependencies: Dependencies = {}): Dependencies =>
  Object.fromEntries(Object.entries(dependencies).map(([name, version]) => [name, version.replace(/^(?=\d)/, '^')]))

const stage = (name: string): string => {
  const source = path.join(PACKAGES, name)
  const folder = path.join(STAGE, name)
  const { devDependencies: _, scripts: __, exports = {}, dependencies, ...manifest } = readManifest(source)
  cpSync(path.join(COMPILED, name), path.join(folder, 'dist'), {
    recursive: true,
    filter: (file) => path.basename(file) !== 'package.json',
  })
  for (const file of globSync(FILES, { cwd: source })) cpSync(path.join(source, file), path.join(folder, 'dist', file))
  const published = Object.entries(exports).map(([entry, file]) => [entry, publishedExport(file)])
  const sideEffects = Object.values(exports).includes('./src/main.ts') ? ['./dist/src/main.js'] : false
  writeManifest(folder, {
    ...manifest,
    ...common(name),
    sideEffects,
    exports: { ...Object.fromEntries(published), './package.json': './package.json' },
    files: ['dist'],
    dependencies: compatible(dependencies),
  })
  return folder
}

const stageApplication = async (): Promise<string> => {
  const folder = path.join(STAGE, APPLICATION)
  await buildApplication(folder)
  writeManifest(folder, { ...readManifest(folder), ...common(APPLICATION), files: ['bin', 'dist'] })
  return folder
}

/** A tarball holds the modes of the files, which depend on who checked them out. */
const sameModes = (folder: string): void => {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)))
    chmodSync(file, statSync(file).mode & 0o100 ? 0o755 : 0o644)
}

const pack = (folder: string, name: string, into: string): void => {
  cpSync(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'))
  cpSync(path.join(PACKAGES, name, 'README.md'), path.join(folder, 'README.md'))
  sameModes(folder)
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', into], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  })
  const bill = JSON.stringify(billOfMaterials(LOCKFILE, `packages/${name}`), undefined, 2)
  writeFileSync(path.join(into, packed.trim().replace(/\.tgz$/, '.cdx.json')), `${bill}\n`)
}

mkdirSync(into, { recursive: true })
for (const old of globSync(['rollcall-*.tgz', 'rollcall-*.cdx.json'], { cwd: into })) rmSync(path.join(into, old))
try {
  compile()
  for (const name of readdirSync(PACKAGES))
    pack(name === APPLICATION ? await stageApplication() : stage(name), name, into)
} finally {
  rmSync(SCRATCH, { recursive: true })
}
process.stdout.write(`${globSync('rollcall-*.tgz', { cwd: into }).sort().join('\n')}\nin ${into}\n`)
