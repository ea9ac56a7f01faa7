import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Home } from './running-service.ts'
import { seedUsers } from './seed-users.ts'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '../../..')
/** Below the project: what is not built in, such as the binding of SQLite, is found from there. */
const CACHE = path.join(ROOT, 'node_modules/.cache')

let folder: string
let launcher: string

beforeAll(async () => {
  await mkdir(CACHE, { recursive: true })
  folder = await mkdtemp(path.join(CACHE, 'built-'))
  await run(process.execPath, [path.join(ROOT, 'packages/rollcall/build.ts'), folder])
  launcher = path.join(folder, 'bin/rollcall.cjs')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('what is built serves, sends mail from its templates, and deletes more users than fit into one log', async () => {
  await using home = await Home.make({}, launcher)
  const ids = await seedUsers(home, 3_000)
  const list = path.join(home.folder, 'list')
  await writeFile(list, ids.join('\n'))
  const { stdout } = await home.run('user', 'delete', '--from', list, '--yes', '--json')
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '').report.deleted).toBe(3_000)
  expect((await home.run('audit', 'verify')).code).toBe(0)

  const server = await home.serve()
  await home.signUp('ada@example.com')
  await expect.poll(() => home.mails()).toHaveLength(1)
  expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 })
})

it('what is built is traced by an SDK that is loaded before it, under the names of the sources', async () => {
  await using home = await Home.make({}, launcher)
  const exporter = `
    import { AlwaysOnSampler, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
    const shown = { export: (spans, done) => { for (const { name } of spans) console.log('span ' + name); done({ code: 0 }) } }
    const spanProcessors = [new SimpleSpanProcessor({ ...shown, shutdown: async () => undefined })]
    new NodeTracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors }).register()`
  const sdk = path.join(folder, 'sdk.mjs')
  await writeFile(sdk, exporter)
  const env = { PATH: process.env.PATH, ...home.environment(), NODE_OPTIONS: `--import=${sdk}` }
  const server = spawn(process.execPath, [launcher, 'serve'], {
    cwd: home.folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  try {
    await expect.poll(async () => (await fetch(`${home.url}/readyz`).catch(() => undefined))?.status).toBe(200)
    await home.signUp('ada@example.com')
    for (const name of ['POST /subscribe', 'SubscribeUseCase', 'transaction', 'mail confirmation'])
      await expect.poll(() => output).toContain(`span ${name}\n`)
  } finally {
    server.kill('SIGKILL')
    await once(server, 'close')
  }
})
