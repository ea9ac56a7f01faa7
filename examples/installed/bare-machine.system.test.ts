import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { ROOT, stepsOf } from '../../packages/app/test/documentation/blocks.ts'
import { eventually } from '../../packages/app/test/eventually.ts'
import { freePort } from '../../packages/app/test/free-port.ts'
import { ended } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { Tarballs } from './stranger.ts'

const run = promisify(execFile)
/** All that is installed on the machine of the reader: no Python, no compiler. */
const PROGRAMS = ['npm', 'npx', 'sh', 'bash', 'cat', 'ls', 'mkdir', 'rm', 'uname']

let tarballs: Tarballs
let bare: string
beforeAll(async () => {
  tarballs = await Tarballs.pack()
  bare = await mkdtemp(path.join(os.tmpdir(), 'rollcall-bare-'))
  await mkdir(path.join(bare, 'bin'))
  await symlink(process.execPath, path.join(bare, 'bin/node'))
  for (const name of PROGRAMS) {
    const { stdout } = await run('bash', ['-c', `command -v ${name}`])
    await symlink(stdout.trim(), path.join(bare, 'bin', name))
  }
})
afterAll(async () => {
  await tarballs.remove()
  await rm(bare, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 })
})

/** How npm reaches a registry, and what it has of it, are this machine's; all else is as after its installation. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:ROLLCALL_|npm_|VITEST|NODE_ENV$|NODE_OPTIONS$)/.test(name)),
  ),
  HOME: bare,
  PATH: path.join(bare, 'bin'),
  npm_config_cache: path.join(os.homedir(), '.npm'),
  npm_config_userconfig: path.join(os.homedir(), '.npmrc'),
  npm_config_update_notifier: 'false',
})

const type = async (folder: string, line: string, settings: NodeJS.ProcessEnv = {}): Promise<string> => {
  const env = { ...environment(), ...settings }
  return (await run(path.join(bare, 'bin/bash'), ['-ec', line], { cwd: folder, env })).stdout
}

const lockfileOf = async (folder: string): Promise<Record<string, { readonly hasInstallScript?: boolean }>> =>
  JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8')).packages

it('lacks what compiles', async () => {
  for (const name of ['python3', 'python', 'cc', 'gcc', 'g++', 'make'])
    await expect(type(bare, `command -v ${name}`)).rejects.toThrow()
})

it('installs the one tarball into an empty folder, and serves, as its README has it', async () => {
  const folder = path.join(bare, 'service')
  await mkdir(folder)
  await mkdir(path.join(bare, 'rollcall/tarballs'), { recursive: true })
  const tarball = tarballs.pathOf('rollcall')
  await cp(tarball, path.join(bare, 'rollcall/tarballs', path.basename(tarball)))
  const port = await freePort()
  const settings = { ROLLCALL_PORT: String(port) }
  const [install = '', second = '', ...others] = stepsOf('packages/rollcall/README.md').map(({ code }) => code.trim())
  expect(others).toEqual([])
  const [serve = '', ...before] = install.split(' && ').reverse()
  for (const line of before.reverse()) await type(folder, line)

  const env = { ...environment(), ...settings }
  const server = spawn(path.join(bare, 'bin/bash'), ['-c', `exec ${serve}`], { cwd: folder, env, stdio: 'ignore' })
  onTestFinished(async () => {
    server.kill('SIGTERM')
    await ended(server)
  })
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true
  await eventually(isReady, 'that the service is ready')
  expect(await type(folder, second, settings)).toMatch(/^ey[\w.-]+$/m)

  // What the front page says of it; a change of some lines, or a later version of a dependency, is no reason to write it anew.
  const front = await readFile(path.join(ROOT, 'README.md'), 'utf8')
  const [, megabytes, packages] = /\| ([\d.]+) MB \| \d+ MB, some (\d+) packages/.exec(front) ?? []
  expect(Math.abs((await stat(tarball)).size / 1_000_000 - Number(megabytes))).toBeLessThan(0.2)
  const installed = Object.keys(await lockfileOf(folder)).filter((name) => name !== '')
  expect(Math.round(installed.length / 10) * 10).toBe(Number(packages))
})

it('installs all packages in a host with `npm install` and with `npm ci`, and none of them runs anything', async () => {
  const host = path.join(bare, 'host')
  await mkdir(host)
  const dependencies = { ...tarballs.dependencies(tarballs.names), inversify: '^8.2.0' }
  await writeFile(path.join(host, 'package.json'), JSON.stringify({ name: 'host', type: 'module', dependencies }))
  await type(host, 'npm install --no-audit --no-fund')
  const packages = Object.entries(await lockfileOf(host))
  expect(packages.length).toBeGreaterThan(tarballs.names.length)
  expect(packages.filter(([, { hasInstallScript = false }]) => hasInstallScript).map(([name]) => name)).toEqual([])
  await rm(path.join(host, 'node_modules'), { recursive: true })
  await type(host, 'npm ci --no-audit --no-fund')
  const program = "import { openService } from '@rollcall/app'; console.log(typeof openService)"
  expect(await type(host, `node --input-type=module --eval "${program}"`)).toBe('function\n')
})
