import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '../..')

type Dependencies = Record<string, string>

interface Manifest {
  readonly name: string
  readonly version: string
  dependencies?: Dependencies
  readonly devDependencies?: Dependencies
  readonly peerDependencies?: Dependencies
}

/** The tarballs of all packages, as `npm run pack` leaves them in a folder. */
export class Tarballs {
  readonly folder: string
  readonly #manifests: ReadonlyMap<string, Manifest>

  private constructor(folder: string, manifests: ReadonlyMap<string, Manifest>) {
    this.folder = folder
    this.#manifests = manifests
  }

  static async pack(): Promise<Tarballs> {
    const folder = await mkdtemp(path.join(tmpdir(), 'rollcall-tarballs-'))
    await run(process.execPath, [path.join(ROOT, 'scripts/pack.ts'), folder])
    const manifests = new Map<string, Manifest>()
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('.tgz'))) {
      const { stdout } = await run('tar', ['-xzOf', path.join(folder, file), 'package/package.json'])
      const manifest: Manifest = JSON.parse(stdout)
      manifests.set(manifest.name, manifest)
    }
    return new Tarballs(folder, manifests)
  }

  get names(): readonly string[] {
    return [...this.#manifests.keys()]
  }

  pathOf(name: string): string {
    const { version } = this.#manifests.get(name) ?? { version: 'unknown' }
    return path.join(this.folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  }

  /** These packages and those of ours that they depend on, each from its tarball. */
  dependencies(names: readonly string[]): Dependencies {
    const found = new Set<string>()
    const add = (name: string): void => {
      const manifest = this.#manifests.get(name)
      if (manifest === undefined || found.has(name)) return
      found.add(name)
      for (const needed of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) add(needed)
    }
    for (const name of names) add(name)
    return Object.fromEntries([...found].map((name) => [name, `file:${this.pathOf(name)}`]))
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** A project of somebody else's: a folder outside of the repository, with what it installed. */
export class Stranger implements AsyncDisposable {
  readonly folder: string
  /** What is removed in the end. */
  readonly #root: string

  private constructor(folder: string, root = folder) {
    this.folder = folder
    this.#root = root
  }

  /** A copy of an example and of the tarballs, as they lie in the repository after `npm run pack`; nothing is installed. */
  static async beside(tarballs: Tarballs, example: string): Promise<Stranger> {
    const root = await mkdtemp(path.join(tmpdir(), 'rollcall-stranger-'))
    const stranger = new Stranger(path.join(root, 'examples', path.basename(example)), root)
    await cp(example, stranger.folder, {
      recursive: true,
      filter: (file) => !/node_modules|dist|data/.test(path.basename(file)),
    })
    await symlink(tarballs.folder, path.join(root, 'tarballs'))
    return stranger
  }

  /** A copy of the folder, whose packages of ours come from the tarballs, and all others from the registry. */
  static async install(source: string, tarballs: Tarballs): Promise<Stranger> {
    const stranger = new Stranger(await mkdtemp(path.join(tmpdir(), 'rollcall-stranger-')))
    await cp(source, stranger.folder, { recursive: true, filter: (file) => !file.includes('node_modules') })
    const manifest: Manifest = JSON.parse(await stranger.read('package.json'))
    const ours = Object.keys(manifest.dependencies ?? {}).filter((name) => tarballs.names.includes(name))
    manifest.dependencies = { ...manifest.dependencies, ...tarballs.dependencies(ours) }
    await stranger.write('package.json', JSON.stringify(manifest))
    await stranger.run('npm', 'install', '--no-audit', '--no-fund', '--loglevel=error')
    return stranger
  }

  read(file: string): Promise<string> {
    return readFile(path.join(this.folder, file), 'utf8')
  }

  async write(file: string, text: string): Promise<void> {
    await writeFile(path.join(this.folder, file), text)
  }

  /** What a command prints that is given in the folder. @throws {Error} it fails; the message holds what it printed */
  async run(command: string, ...args: readonly string[]): Promise<string> {
    try {
      return (await run(command, args, { cwd: this.folder, env: this.environment, maxBuffer: 64 * 1024 * 1024 })).stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string }
      throw new Error(`${command} ${args.join(' ')} failed.\n${stdout}\n${stderr}`, { cause: error })
    }
  }

  /** As in a new terminal: of the repository there is nothing on the path, and its npm and Vitest have set nothing. */
  get environment(): NodeJS.ProcessEnv {
    const kept = Object.entries(process.env).filter(([name]) => !/^(?:npm_|VITEST|NODE_ENV|NODE_OPTIONS)/.test(name))
    const elsewhere = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.startsWith(ROOT))
    const PATH = [path.join(this.folder, 'node_modules/.bin'), path.dirname(process.execPath), ...elsewhere]
    return { ...Object.fromEntries(kept), PATH: PATH.join(path.delimiter) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#root, { recursive: true, force: true })
  }
}
