import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const REPOSITORY = path.join(import.meta.dirname, '../../..')
/** Version 0.1.0: the last commit before the first change that the changelog has above it. */
const COMMIT = '882a481b1c3ded8ed43b04e8cd39c9035ea3a447'

/** What the first release imports, this one does not install, and no service calls that is set up as here. */
const NOT_INSTALLED = { 'fastest-levenshtein': ['closest'] }

/** The code of the first release, in a folder of its own, with the third-party packages of this repository. */
export class FirstRelease implements AsyncDisposable {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** @throws {Error} the repository does not have the commit; the message says what to do */
  static async checkOut(repository = REPOSITORY): Promise<FirstRelease> {
    await requireCommit(repository)
    const release = new FirstRelease(await mkdtemp(path.join(os.tmpdir(), 'rollcall-first-release-')))
    try {
      await release.#unpack(repository)
      await release.#link()
      await writeFile(release.main, startOf(release.#folder))
      return release
    } catch (error) {
      await release[Symbol.asyncDispose]()
      throw error
    }
  }

  /** The program, as `Home.make` takes it. */
  get main(): string {
    return path.join(this.#folder, 'start.mjs')
  }

  async #unpack(repository: string): Promise<void> {
    const archive = path.join(this.#folder, 'sources.tar')
    await run('git', ['archive', '--output', archive, COMMIT, 'package.json', 'packages'], { cwd: repository })
    await run('tar', ['-xf', archive, '-C', this.#folder])
    await rm(archive)
  }

  async #link(): Promise<void> {
    const modules = path.join(this.#folder, 'node_modules')
    await mkdir(path.join(modules, '@rollcall'), { recursive: true })
    for (const [name, folder] of await thirdParties()) await symlink(folder, path.join(modules, name))
    const own = path.join(this.#folder, 'packages')
    for (const folder of await readdir(own)) {
      const { name } = JSON.parse(await readFile(path.join(own, folder, 'package.json'), 'utf8')) as { name: string }
      await symlink(path.join(own, folder), path.join(modules, name))
    }
    for (const [name, functions] of Object.entries(NOT_INSTALLED)) {
      await mkdir(path.join(modules, name))
      await writeFile(path.join(modules, name, 'package.json'), '{ "type": "module", "exports": "./index.js" }')
      const text = functions.map(
        (one) => `export const ${one} = () => { throw new Error('${name} is not installed') }\n`,
      )
      await writeFile(path.join(modules, name, 'index.js'), text.join(''))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** Starts the program in the same process. What is compiled goes with the folder: nothing else will be at its path. */
const startOf = (folder: string): string => {
  const [program, compiled] = ['packages/app/src/main.ts', 'compiled'].map((name) => path.join(folder, name))
  const [argv, environment] = [
    `[process.execPath, ${JSON.stringify(program)}, ...process.argv.slice(2)]`,
    `{ ...process.env, NODE_COMPILE_CACHE: ${JSON.stringify(compiled)} }`,
  ]
  return `process.execve(process.execPath, ${argv}, ${environment})\n`
}

const requireCommit = async (repository: string): Promise<void> => {
  try {
    await run('git', ['cat-file', '-e', `${COMMIT}^{commit}`], { cwd: repository })
  } catch (cause) {
    throw new Error(
      `This clone does not have the first release, the commit ${COMMIT}. Fetch the whole history by 'git fetch --unshallow', then run the test again.`,
      { cause },
    )
  }
}

/** Where each package is that no workspace has, and each scope of such packages. Those at the root win, as in npm. */
const thirdParties = async (): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  const workspaces = (await readdir(path.join(REPOSITORY, 'packages'))).map((name) => `packages/${name}`)
  for (const parent of ['.', ...workspaces]) {
    const folder = path.join(REPOSITORY, parent, 'node_modules')
    for (const name of await readdir(folder).catch(() => []))
      if (!/^(?:\.|rollcall$|@rollcall$)/.test(name) && !found.has(name)) found.set(name, path.join(folder, name))
  }
  return found
}
