import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Publishes what `npm run pack` has left in `tarballs`, each after those that it needs. A version that the registry has
 * already is left alone, so it can be run again after a failure. Options are npm's.
 *
 *     npm run publish:tarballs
 *     npm run publish:tarballs -- --dry-run
 */

const ROOT = path.join(import.meta.dirname, '../..')
const FOLDER = path.join(ROOT, 'tarballs')

interface Tarball {
  readonly file: string
  readonly name: string
  readonly version: string
  readonly needs: readonly string[]
}

const tarball = (file: string): Tarball => {
  const text = execFileSync('tar', ['-xzOf', path.basename(file), 'package/package.json'], { cwd: FOLDER })
  const { name, version, dependencies, peerDependencies } = JSON.parse(text.toString())
  return { file, name, version, needs: Object.keys({ ...dependencies, ...peerDependencies }) }
}

/** @throws {Error} some need one another */
const inOrder = (tarballs: readonly Tarball[]): Tarball[] => {
  const waiting = new Map(tarballs.map((it) => [it.name, it]))
  const ordered: Tarball[] = []
  while (waiting.size > 0) {
    const next = [...waiting.values()].find(({ needs }) => !needs.some((name) => waiting.has(name)))
    if (next === undefined) throw new Error(`These packages need one another: ${[...waiting.keys()].join(', ')}.`)
    waiting.delete(next.name)
    ordered.push(next)
  }
  return ordered
}

const npm = (args: readonly string[], stderr: 'inherit' | 'pipe'): string =>
  execFileSync('npm', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', stderr],
    shell: process.platform === 'win32',
  })

/** @throws {Error} the registry does not say */
const isPublished = ({ name, version }: Tarball): boolean => {
  try {
    return npm(['view', `${name}@${version}`, 'version', '--loglevel=error'], 'pipe').trim() === version
  } catch (error) {
    const { stderr } = error as { readonly stderr?: string }
    if (/\bE404\b/.test(stderr ?? '')) return false
    process.stderr.write(stderr ?? '')
    throw new Error(`npm cannot say whether ${name} ${version} is published.`, { cause: error })
  }
}

const publish = (options: readonly string[]): void => {
  const tarballs = inOrder(globSync('*.tgz', { cwd: FOLDER }).map((file) => tarball(path.join(FOLDER, file))))
  if (tarballs.length === 0) throw new Error('There are no tarballs: run `npm run pack` first.')
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  // As after a release that was taken back.
  const other = tarballs.find((it) => it.version !== version)
  if (other !== undefined)
    throw new Error(`${other.name} is packed at ${other.version}, and this is ${version}: run \`npm run pack\` first.`)
  for (const it of tarballs) {
    const published = isPublished(it)
    if (!published) npm(['publish', it.file, '--loglevel=error', ...options], 'inherit')
    process.stdout.write(`${it.name} ${it.version}: ${published ? 'was published before' : 'done'}\n`)
  }
}

try {
  publish(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
