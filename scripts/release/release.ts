import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { withRelease } from './changelog.ts'
import { copyOfRepository } from './copy-of-repository.ts'

/**
 * Makes a release of all packages here: versions, changelog, lockfile and the OpenAPI document to compare with, in one
 * commit with a tag, and the tarballs. Nothing is pushed or published. With `--dry-run`, all of it in a copy.
 *
 *     npm run release -- minor --dry-run
 *     npm run release -- minor
 */

const ROOT = path.join(import.meta.dirname, '../..')
const CHANGESETS = path.join(ROOT, 'node_modules/@changesets/cli/bin.js')
const CHANGESET = path.join(ROOT, '.changeset/release.md')
const OFFLINE = ['--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/** The chart, the files of Compose, and the pages that name the image. */
const NAMING_THE_VERSION = [
  'deploy/helm/rollcall/Chart.yaml',
  'deploy/compose/*.yaml',
  'docs/guides/containers.md',
  'docs/guides/monitor.md',
]
const VERSION_OF_IMAGE = /(?<=\brollcall:|^(?:appV|v)ersion: )\d+\.\d+\.\d+(?:-[\w.]+)?/gm

interface Manifest extends Record<string, unknown> {
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

const script = (file: string, ...args: readonly string[]): string =>
  run(process.execPath, path.join(ROOT, 'scripts', file), ...args)

const npm = (...args: readonly string[]): string =>
  execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', shell: process.platform === 'win32' })

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

const edit = (file: string, change: (manifest: Manifest) => void): void => {
  const manifest: Manifest = JSON.parse(read(file))
  change(manifest)
  writeFileSync(path.join(ROOT, file), `${JSON.stringify(manifest, undefined, 2)}\n`)
}

/** The packages and the ranges in which they need each other. */
const raiseVersions = (bump: string): string => {
  writeFileSync(CHANGESET, `---\n"rollcall": ${bump}\n---\n`)
  try {
    run(process.execPath, CHANGESETS, 'version')
  } finally {
    rmSync(CHANGESET, { force: true })
  }
  return JSON.parse(read('packages/rollcall/package.json')).version
}

/** What Changesets does not know: the repository itself, and the examples, which are no workspaces. */
const raiseTheRest = (version: string): void => {
  edit('package.json', (manifest) => {
    manifest.version = version
  })
  for (const file of globSync('examples/*/package.json', { cwd: ROOT }))
    edit(file, ({ dependencies, devDependencies }) => {
      for (const needed of [dependencies, devDependencies])
        for (const name of Object.keys(needed ?? {}))
          if (needed !== undefined && /^(?:@rollcall\/|rollcall$)/.test(name)) needed[name] = `^${version}`
    })
  for (const file of globSync(NAMING_THE_VERSION, { cwd: ROOT }))
    writeFileSync(path.join(ROOT, file), read(file).replaceAll(VERSION_OF_IMAGE, version))
}

/** Everything that a release changes, and its tarballs; the version. */
const change = (bump: string): string => {
  const version = raiseVersions(bump)
  if (run('git', 'tag', '--list', `v${version}`) !== '') throw new Error(`The tag v${version} exists already.`)
  raiseTheRest(version)
  const day = new Date().toISOString().slice(0, 10)
  writeFileSync(path.join(ROOT, 'CHANGELOG.md'), withRelease(read('CHANGELOG.md'), version, day))
  npm('install', ...OFFLINE)
  script('lockfile.ts')
  script('release/openapi-changes.ts', 'record', version)
  execFileSync(process.execPath, [path.join(ROOT, 'scripts/pack.ts')], { stdio: 'inherit' })
  return version
}

const commit = (version: string): void => {
  run('git', 'add', '--all')
  run('git', 'commit', '--quiet', '--message', `chore: release ${version}`)
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Rollcall ${version}`)
}

const release = (bump: string): void => {
  if (run('git', 'status', '--porcelain') !== '')
    throw new Error(
      'There are changes that are not committed: a release is made of commits. Commit them or put them away.',
    )
  try {
    commit(change(bump))
  } catch (error) {
    // All of it was committed before, so nothing is lost.
    run('git', 'reset', '--quiet', '--hard')
    throw error
  }
  process.stdout.write(`${run('git', 'show', '--stat', '--format=%h %s')}\n\n`)
  // Modules that are links into another folder leave their paths in the bundle, and so other tarballs.
  if (process.env.RELEASE_OF_COPY !== undefined) return
  for (const file of globSync('tarballs/*.tgz', { cwd: ROOT }).sort())
    process.stdout.write(
      `${createHash('sha256')
        .update(readFileSync(path.join(ROOT, file)))
        .digest('hex')}  ${file}\n`,
    )
}

const [bump = '', option] = process.argv.slice(2)
try {
  if (!['patch', 'minor', 'major'].includes(bump) || (option !== undefined && option !== '--dry-run'))
    throw new Error('Say what changes: npm run release -- patch|minor|major [--dry-run]')
  if (option === undefined) release(bump)
  else {
    const copy = copyOfRepository()
    try {
      const file = path.join(copy, path.relative(ROOT, import.meta.filename))
      execFileSync(process.execPath, [file, bump], {
        stdio: 'inherit',
        env: { ...process.env, RELEASE_OF_COPY: '1' },
      })
    } finally {
      rmSync(copy, { recursive: true })
    }
    process.stdout.write('That was a copy: nothing has changed here.\n')
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
