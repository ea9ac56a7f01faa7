import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { Home } from './running-service.ts'

it('runs commands on the server that the environment, or .env, names', async () => {
  await using home = await Home.make()
  await home.serveInProcess()
  await using away = await Home.make()
  const tokenFile = path.join(away.folder, 'token')
  await writeFile(tokenFile, await home.token('me', 'admin'), { mode: 0o600 })
  const there = { SERVER: home.url, TOKEN_FILE: tokenFile }
  expect(await away.runWith(there, 'user', 'put', 'ada', '--email', 'ada@example.com')).toMatchObject({ code: 0 })
  expect((await home.run('user', 'show', 'ada')).stdout).toContain('ada@example.com')
  await writeFile(path.join(away.folder, '.env'), `ROLLCALL_SERVER=${home.url}\nROLLCALL_TOKEN_FILE=${tokenFile}\n`, {
    mode: 0o600,
  })
  expect((await away.run('user', 'show', 'ada')).stdout).toContain('ada@example.com')
  expect(await away.run('key', 'rotate')).toMatchObject({ code: 2 })
  expect((await away.runWith({ SERVER: '' }, 'user', 'show', 'ada')).stderr).toContain('There is no database')
})
