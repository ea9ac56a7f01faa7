import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyOfRepository } from '../scripts/release/copy-of-repository.ts'
import { currentDocument } from '../scripts/release/openapi-changes.ts'
import { PackageRegistry, sha512 } from './package-registry.ts'

const run = promisify(execFile)
const GUIDE = path.join(import.meta.dirname, '../docs/releasing.md')

/** What installs and tests: this test is a part of that. */
const NOT_RUN = ['npm ci', 'npm test', 'npm run test:system']

let copy: string
let remote: string
let registry: PackageRegistry
let settings: string
const outputs = new Map<string, string>()
const states = new Map<string, { readonly version: string; readonly tags: string }>()

beforeAll(async () => {
  copy = copyOfRepository()
  remote = await mkdtemp(path.join(tmpdir(), 'rollcall-remote-'))
  registry = await PackageRegistry.open()
  settings = path.join(remote, 'npmrc')
  await git('clone', '--quiet', '--bare', copy, remote)
  await writeFile(settings, registry.settings)
  await git('remote', 'add', 'origin', remote)
  await git('fetch', '--quiet', 'origin')
  await git('branch', '--quiet', '--set-upstream-to=origin/main')
  for (const block of (await guide()).matchAll(/```sh\n([^`]*)```/g))
    for (const line of (block[1] ?? '')
      .trim()
      .split('\n')
      .filter((line) => !NOT_RUN.includes(line))) {
      // Taking back is for before it was sent, and publishing is of what was sent.
      if (line.startsWith('git tag --delete')) break
      outputs.set(line, await shell(line))
      states.set(line, { version: await versionOf('.'), tags: await git('tag') })
    }
})
afterAll(async () => {
  await registry.close()
  for (const folder of [copy, remote]) await rm(folder, { recursive: true, force: true })
})

const guide = (): Promise<string> => readFile(GUIDE, 'utf8')

const shell = async (line: string): Promise<string> => {
  const clean = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|VITEST|NODE_ENV|NODE_OPTIONS|GIT_)/.test(name),
  )
  const env = { ...Object.fromEntries(clean), npm_config_userconfig: settings }
  return (await run('bash', ['-euc', line], { cwd: copy, env, maxBuffer: 64 * 1024 * 1024 })).stdout
}

const git = async (...args: readonly string[]): Promise<string> => (await run('git', args, { cwd: copy })).stdout.trim()

const read = (file: string): Promise<string> => readFile(path.join(copy, file), 'utf8')

const manifestOf = async (folder: string) => JSON.parse(await read(path.join(folder, 'package.json')))

const versionOf = async (folder: string): Promise<string> => (await manifestOf(folder)).version

const hashes = async (folder: string): Promise<Record<string, string>> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).sort()
  const entries = files.map(async (name) => [name, sha512(await readFile(path.join(folder, name)))] as const)
  return Object.fromEntries(await Promise.all(entries))
}

describe('a release as docs/releasing.md has it', () => {
  const DRY = 'npm run release -- minor --dry-run'
  const REAL = 'npm run release -- minor'

  it('changes nothing in a dry run, and shows what would happen', () => {
    expect(outputs.get(DRY)).toMatch(
      /chore: release \d+\.\d+\.0\n[\s\S]*That was a copy: nothing has changed here\.\n$/,
    )
    expect(states.get(DRY)?.tags).toBe('')
    expect(states.get(DRY)?.version).not.toBe(states.get(REAL)?.version)
  })

  it('raises the versions of all packages and of what they need of one another', async () => {
    const { version = '' } = states.get(REAL) ?? {}
    const [major, minor] = (states.get(DRY)?.version ?? '').split('.').map(Number)
    expect(version).toBe(`${major}.${Number(minor) + 1}.0`)
    const folders = globSync('{packages,examples}/*/package.json', { cwd: copy }).map((file) => path.dirname(file))
    expect(folders.length).toBeGreaterThan(15)
    for (const folder of folders) {
      const { version: own, dependencies, devDependencies, peerDependencies } = await manifestOf(folder)
      if (folder.startsWith('packages')) expect(own).toBe(version)
      for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies, ...peerDependencies }))
        if (/^(?:@rollcall\/|rollcall$)/.test(name))
          expect([folder, name, [version, `^${version}`]]).toEqual([folder, name, expect.arrayContaining([range])])
    }
  })

  it('raises the version of the image in the chart and in the files of Compose', async () => {
    const { version } = states.get(REAL) ?? {}
    const read = (file: string) => readFile(path.join(copy, 'deploy', file), 'utf8')
    expect(await read('helm/rollcall/Chart.yaml')).toContain(`\nversion: ${version}\nappVersion: ${version}\n`)
    for (const file of ['compose.yaml', 'compose.postgres.yaml'])
      expect(await read(`compose/${file}`)).toContain(`rollcall:${version}}`)
  })

  it('has the command line say the version, from the sources and from the tarball', async () => {
    const { version } = states.get(REAL) ?? {}
    const folder = await mkdtemp(path.join(copy, 'node_modules/.cache/unpacked-'))
    await run('tar', ['-xzf', path.join(copy, `tarballs/rollcall-${version}.tgz`), '-C', folder])
    for (const launcher of [path.join(copy, 'packages/rollcall'), path.join(folder, 'package')])
      expect((await shell(`node ${launcher}/bin/rollcall.cjs --version`)).trim()).toBe(version)
  })

  it('dates the section of the changelog, and begins a new one', async () => {
    const { version } = states.get(REAL) ?? {}
    expect(await read('CHANGELOG.md')).toMatch(
      new RegExp(`## Unreleased\n\n## ${version} \\(\\d{4}-\\d\\d-\\d\\d\\)\n\n###`),
    )
    expect(await shell(`npm run --silent release:notes -- v${version}`)).toMatch(/^### /)
  })

  it('keeps the lockfile one that `npm ci` takes, and everything committed under the tag', async () => {
    const { version = '' } = states.get(REAL) ?? {}
    const before = JSON.parse(await git('show', 'HEAD~1:package-lock.json'))
    const after = JSON.parse(await git('show', 'HEAD:package-lock.json'))
    const installed = ({ packages }: { packages: Record<string, object> }) =>
      Object.fromEntries(Object.entries(packages).filter(([name]) => name.includes('node_modules/')))
    expect(installed(after)).toEqual(installed(before))
    expect(after.packages['packages/core'].version).toBe(version)
    await shell('npm ci --dry-run --offline --loglevel=error')
    expect(await git('status', '--porcelain')).toBe('')
    expect(await git('describe')).toBe(`v${version}`)
    expect(await git('cat-file', '-t', `v${version}`)).toBe('tag')
  })

  it('keeps the OpenAPI document to compare with, and allows no change of it', async () => {
    const { version } = states.get(REAL) ?? {}
    expect(JSON.parse(await read('packages/http-koa/openapi/last-release.json'))).toEqual(currentDocument())
    expect(JSON.parse(await read('packages/http-koa/openapi/breaking-changes.json'))).toEqual({
      since: version,
      allowed: [],
    })
  })

  it('sends the commit and its tag', async () => {
    const remotely = (...args: readonly string[]) => git('--git-dir', remote, ...args)
    expect(await remotely('rev-parse', 'main')).toBe(await git('rev-parse', 'HEAD'))
    expect(await remotely('tag')).toBe(`v${states.get(REAL)?.version}`)
  })

  it('publishes each tarball once, after those that it needs, for everybody and with provenance', async () => {
    const packed = await hashes(path.join(copy, 'tarballs'))
    expect(registry.published.map(({ integrity }) => integrity).sort()).toEqual(Object.values(packed).sort())
    const names = registry.published.map(({ name }) => name)
    for (const { name, needs } of registry.published)
      for (const needed of needs.filter((it) => names.includes(it)))
        expect([name, needed, names.indexOf(needed) < names.indexOf(name)]).toEqual([name, needed, true])
    for (const { manifest } of registry.published)
      expect(manifest).toMatchObject({ publishConfig: { access: 'public', provenance: true } })
    expect(await shell('npm run --silent publish:tarballs -- --provenance=false')).not.toContain('done')
    expect(registry.published.length).toBe(names.length)
  })

  it('makes the same tarballs from the same commit, whatever the folder, the modes and the umask', async () => {
    const first = await hashes(path.join(copy, 'tarballs'))
    await using folder = await otherFolder()
    for (const file of ['LICENSE', 'packages/core/README.md']) await chmod(path.join(copy, file), 0o600)
    await shell(`cd / && umask 077 && node ${copy}/scripts/pack.ts ${folder.path}`)
    expect(await hashes(folder.path)).toEqual(first)
    expect(Object.keys(first).length).toBe((await readdir(path.join(copy, 'packages'))).length)
  })

  // The last but one, as it takes the release back.
  it('is taken back by two commands', async () => {
    for (const [line] of (await guide()).matchAll(/^git (?:tag --delete|reset).*$/gm)) await shell(line)
    expect([await git('tag'), await versionOf('.')]).toEqual(['', states.get(DRY)?.version])
  })

  it('is refused if it was made before, and leaves everything as it was', async () => {
    const line = 'npm run --silent release -- minor'
    await git('tag', `v${states.get(REAL)?.version}`)
    await expect(shell(line)).rejects.toThrow(/The tag v[\d.]+ exists already\./)
    expect(await git('status', '--porcelain')).toBe('')
    await writeFile(path.join(copy, 'README.md'), '')
    await expect(shell(line)).rejects.toThrow(/changes that are not committed/)
    expect(await read('README.md')).toBe('')
  })
})

const otherFolder = async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'rollcall-again-'))
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}
