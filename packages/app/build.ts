import { cp, rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

const PACKAGES = path.join(import.meta.dirname, '..')

/** What ships: into `dist`, or into another folder for who wants to measure it. */
const OUT = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, 'dist'))

// Packages in CommonJS ask for Node's own modules when they are loaded.
const REQUIRE =
  "import{createRequire as rollcallRequire}from'node:module';const require=rollcallRequire(import.meta.url);"

await rm(OUT, { recursive: true, force: true })
await build({
  entryPoints: {
    main: path.join(import.meta.dirname, 'src/main.ts'),
    'src/backup-worker': path.join(PACKAGES, 'storage-sql/src/sqlite/backup/backup-worker.ts'),
    'src/checkpoint-worker': path.join(PACKAGES, 'storage-sql/src/sqlite/checkpoint-worker.ts'),
  },
  outdir: OUT,
  // What is imported dynamically is a file of its own, so that a command reads only what it needs. Below `src`, so that
  // whatever lies beside a package's `src` lies beside this one, too.
  chunkNames: 'src/[name]-[hash]',
  splitting: true,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  // They find their binary or their threads beside themselves, or are of use to a server only.
  external: ['better-sqlite3', 'open', 'pg', 'pino', 'pino-pretty', 'prom-client'],
  banner: { js: REQUIRE },
  logLevel: 'warning',
})
await cp(path.join(PACKAGES, 'mail/templates'), path.join(OUT, 'templates'), { recursive: true })
