import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Home } from './running-service.ts'

const HERE = path.join(import.meta.dirname, 'scim-tester')
const run = promisify(execFile)

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-scim-tester-'))
  await run('python3', ['-m', 'venv', folder])
  const requirements = path.join(HERE, 'requirements.txt')
  await run(path.join(folder, 'bin/pip'), ['install', '--quiet', '--no-deps', '--requirement', requirements])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('finds nothing, and skips only what ServiceProviderConfig cannot say is missing', async () => {
  await using home = await Home.make()
  await home.serveInProcess()
  const token = await home.token('tester', 'provisioner')
  const script = path.join(HERE, 'check.py')
  const { stdout } = await run(path.join(folder, 'bin/python'), [script, `${home.url}/scim/v2`, token])
  const results = JSON.parse(stdout) as readonly (readonly string[])[]
  expect(results.filter(([status]) => status !== 'SUCCESS').map(([status, title]) => [status, title])).toEqual([
    ['SKIPPED', 'search_with_attributes'],
  ])
  expect(results.length).toBeGreaterThan(40)
})
