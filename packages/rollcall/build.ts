import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

const HERE = import.meta.dirname
const PACKAGES = path.join(HERE, '..')

/**
 * These find threads of theirs beside themselves, or are of use to a server only. An SDK for tracing is found by an API that
 * is no newer than its own: without a version that is named here, prom-client brings the newest one along.
 */
const EXTERNAL = ['@opentelemetry/api', 'open', 'pg', 'pino', 'pino-pretty', 'prom-client']

/** Packages in CommonJS ask for Node's own modules when they are loaded. */
const REQUIRE =
  "import{createRequire as rollcallRequire}from'node:module';const require=rollcallRequire(import.meta.url);"

const manifestIn = async (folder: string) => JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))

/**
 * Writes the application as it ships into the folder: the launcher, the bundle, and a `package.json` for both. Says which
 * packages of others are in the bundle, such as `koa@3.3.0`.
 */
export const buildApplication = async (folder: string): Promise<readonly string[]> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const dist = path.join(folder, 'dist')
  const { metafile } = await build({
    entryPoints: {
      main: path.join(PACKAGES, 'app/src/main.ts'),
      'src/backup-worker': path.join(PACKAGES, 'storage-sql/src/sqlite/backup/backup-worker.ts'),
      'src/smtp-worker': path.join(PACKAGES, 'mail/src/smtp-worker.ts'),
      'src/checkpoint-worker': path.join(PACKAGES, 'storage-sql/src/sqlite/checkpoint-worker.ts'),
    },
    outdir: dist,
    // The names of chunks depend on the paths of their sources, seen from here: a release is the same wherever it is made.
    absWorkingDir: path.join(HERE, '../..'),
    // What is imported dynamically is a file of its own, so that a command reads only what it needs. Below `src`, so
    // that whatever lies beside a package's `src` lies beside this one, too.
    chunkNames: 'src/[name]-[hash]',
    splitting: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'linked',
    external: EXTERNAL,
    banner: { js: REQUIRE },
    logLevel: 'warning',
    metafile: true,
  })
  await cp(path.join(PACKAGES, 'mail/templates'), path.join(dist, 'templates'), { recursive: true })
  await cp(path.join(HERE, 'bin'), path.join(folder, 'bin'), { recursive: true })
  const { devDependencies: _, ...manifest } = await manifestIn(HERE)
  const app = await manifestIn(path.join(PACKAGES, 'app'))
  const versions = { ...app.devDependencies, ...app.dependencies }
  const dependencies = Object.fromEntries(EXTERNAL.map((name) => [name, versions[name]]))
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, dependencies }, undefined, 2))
  return await packagesOf(Object.keys(metafile.inputs))
}

/** The packages that the files come from; one that lies inside of another comes with that. */
const packagesOf = async (files: readonly string[]): Promise<readonly string[]> => {
  const folders = files.map((file) => /^(?:packages\/[^/]+\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
  const unique = [...new Set(folders.filter((one) => one !== undefined))].sort()
  const manifests = await Promise.all(unique.map((one) => manifestIn(path.join(PACKAGES, '..', one))))
  return manifests.map(({ name, version }) => `${name}@${version}`)
}

const [folder] = process.argv.slice(2)
if (import.meta.main && folder !== undefined)
  for (const one of await buildApplication(path.resolve(folder))) process.stdout.write(`${one}\n`)
