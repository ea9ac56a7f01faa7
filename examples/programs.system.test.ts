import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { openMemoryService } from '@rollcall/core/memory'
import { createHttpServer, drain } from '@rollcall/http-koa'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '..')
const CLIENT_GUIDE = 'docs/guides/client.md'
const READMES = (await readdir(path.join(ROOT, 'packages'))).map((name) => `packages/${name}/README.md`)

interface Program {
  readonly page: string
  readonly title: string
  readonly program: string
  readonly printed: string
}

const textOf = new Map(
  await Promise.all(
    [CLIENT_GUIDE, ...READMES].map(async (page) => [page, await readFile(path.join(ROOT, page), 'utf8')] as const),
  ),
)

/** Each program on a page, what stands above it, and what it says that it prints. */
const programs = [...textOf].flatMap(([page, text]) =>
  [...text.matchAll(/^##? ((?:(?!^##? ).)*?)$(?:(?!^##? ).)*?```js\n(.*?)```\n\n```text\n(.*?)```/gms)].map(
    ([, title = '', program = '', printed = '']): Program => ({ page, title, program, printed }),
  ),
)

/** As a reader counts: neither code nor where a link leads. */
const wordsIn = (text: string): number =>
  text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .trim()
    .split(/\s+/).length

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
  folder = await mkdtemp(path.join(ROOT, 'node_modules/.cache/programs-'))
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
  const shown = [...textOf].map(([page, text]) => [page, text.split('```js\n').length - 1])
  expect(shown).toEqual([...textOf.keys()].map((one) => [one, programs.filter(({ page }) => page === one).length]))
  expect(programs.filter(({ page }) => page === CLIENT_GUIDE).length).toBeGreaterThan(5)
})

it.each(programs)('$page, $title: the program prints that', async ({ program, printed, page }) => {
  const own = page === CLIENT_GUIDE ? folder : await mkdtemp(path.join(folder, 'page-'))
  const file = path.join(own, 'program.mjs')
  await writeFile(file, program)
  const { stdout } = await run(process.execPath, [file], { cwd: own, env: environment })
  expect(`${stdout.replaceAll('\r', '').trimEnd()}\n`).toBe(printed)
  expect(failures).toEqual([])
})

it.each(READMES)('is a front page: what the package is, and one example: %s', (page) => {
  const text = textOf.get(page) ?? ''
  expect(wordsIn(text)).toBeGreaterThanOrEqual(40)
  expect(wordsIn(text)).toBeLessThanOrEqual(120)
  expect(text).toMatch(/^```(?:js|sh)$/m)
})
