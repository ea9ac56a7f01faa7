import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { openMemoryService } from '@rollcall/core/memory'
import { createHttpServer, drain } from '@rollcall/http-koa'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '..')
const page = await readFile(path.join(ROOT, 'packages/client/README.md'), 'utf8')

/** Each program on the page, what stands above it, and what it says that it prints. */
const programs = [...page.matchAll(/^## (.*?)$.*?```js\n(.*?)```\n\n```text\n(.*?)```/gms)].map(
  ([, title = '', program = '', printed = '']) => ({ title, program, printed }),
)

const publicUrl = 'https://news.example.com'
const service = openMemoryService({ publicUrl })
const server = createHttpServer({
  ...{ useCases: service.useCases, jwks: () => ({ keys: [] }), publicUrl, trace: true, trustProxy: 0, corsOrigins: [] },
  log: { debug: () => {}, info: () => {}, warn: () => {}, error: (fields) => failures.push(fields) },
})
const failures: object[] = []
let folder: string
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  // Below the root, so that a program finds the package by its name.
  folder = await mkdtemp(path.join(ROOT, 'node_modules/.cache/client-readme-'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { token } = await service.tokens.issue({ subject: 'root', roles: ['admin'], lifetime: 3_600 })
  const SERVER = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  environment = { PATH: process.env.PATH, SERVER, TOKEN: token }
})
afterAll(async () => {
  await drain(server, 1_000)
  await rm(folder, { recursive: true })
})

it('shows what each program prints', () => {
  expect(programs).toHaveLength(page.split('```js\n').length - 1)
  expect(programs.length).toBeGreaterThan(5)
})

it.each(programs)('$title: the program prints that', async ({ program, printed }) => {
  const file = path.join(folder, 'program.mjs')
  await writeFile(file, program)
  const { stdout } = await run(process.execPath, [file], { env: environment })
  expect(`${stdout.trimEnd()}\n`).toBe(printed)
  expect(failures).toEqual([])
})
