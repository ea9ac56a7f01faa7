import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '..')
const { packages } = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8'))

/** The folder of a tool that is this one package, without dependencies, which is installed here. */
const toolOf = async (name: string): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'rollcall-tool-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await nameIn(folder, name)
  return folder
}

const nameIn = async (folder: string, name: string, kind = 'dependencies'): Promise<void> => {
  const { version, integrity } = packages[`node_modules/${name}`]
  const manifest = { [kind]: { [name]: version } }
  const locked = { '': manifest, [`node_modules/${name}`]: { version, integrity, optional: kind !== 'dependencies' } }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages: locked }))
}

/** What is said about it, and what there is afterwards. */
const install = async (folder: string): Promise<{ said: string; modules: readonly string[] }> => {
  const { stdout, stderr } = await run(process.execPath, [path.join(ROOT, 'tools/install.cjs'), folder])
  expect(stdout).toBe('')
  const modules = await readdir(path.join(folder, 'node_modules'))
  return { said: stderr, modules: modules.filter((name) => !name.startsWith('.')) }
}

it('installs what the lockfile names once, and again when it names something else', async () => {
  const folder = await toolOf('mustache')
  expect(await install(folder)).toEqual({ said: expect.stringContaining('Installing'), modules: ['mustache'] })
  expect(await install(folder)).toEqual({ said: '', modules: ['mustache'] })
  await nameIn(folder, 'jose')
  expect(await install(folder)).toEqual({ said: expect.stringContaining('Installing'), modules: ['jose'] })
})

it('installs it for all who ask for it at once, and leaves nothing else behind', async () => {
  const folder = await toolOf('mustache')
  const all = await Promise.all([install(folder), install(folder), install(folder)])
  expect(all.map(({ modules }) => modules)).toEqual([['mustache'], ['mustache'], ['mustache']])
  expect((await readdir(folder)).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json'])
})

it.each([
  ['dependencies', 'EINTEGRITY'],
  ['optionalDependencies', 'npm could not fetch mustache'],
])('fails if the package is not the one of the lockfile, and keeps nothing of it: %s', async (kind, reason) => {
  const folder = await toolOf('mustache')
  await nameIn(folder, 'mustache', kind)
  const file = path.join(folder, 'package-lock.json')
  const { integrity } = packages['node_modules/jose']
  await writeFile(file, (await readFile(file, 'utf8')).replace(/sha512-[^"]*/, integrity))
  await expect(install(folder)).rejects.toThrow(reason)
  expect((await readdir(folder)).sort()).toEqual(['package-lock.json', 'package.json'])
})
