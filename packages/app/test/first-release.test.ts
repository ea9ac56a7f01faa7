import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { Home } from './running-service.ts'

const DUMP = path.join(import.meta.dirname, '../../storage-sql/test/first-release/sqlite.sql')
/** Of the database that the service of the first release filled; links of its mails are signed with it. */
const SECRET = '772e53332442692595c39eb12893279c9261eedca5244d4f725e99b32132d4a0'
const UNSUBSCRIBE = '4218161050083791.2333e329973850dcba36882d9bab47d8'

const open = async () => {
  const home = await Home.make({ SECRET })
  onTestFinished(() => home[Symbol.asyncDispose]())
  const folder = path.join(home.folder, 'data')
  await mkdir(folder, { mode: 0o700 })
  await writeFile(path.join(folder, 'rollcall.db'), '', { mode: 0o600 })
  const database = new DatabaseSync(path.join(folder, 'rollcall.db'))
  database.exec(await readFile(DUMP, 'utf8'))
  database.close()
  const json = async (...args: readonly string[]) => JSON.parse((await home.run(...args, '--json')).stdout)
  return { home, json }
}

it('takes over the database of the first release with its trail, its users and the links of its mails', async () => {
  const { home, json } = await open()
  expect((await home.run('user', 'list')).code).toBe(4)
  expect((await home.run('migrate')).code).toBe(0)
  expect(await json('audit', 'verify')).toMatchObject({ records: 26, broken: null })
  expect(await json('user', 'show', 'auditor')).toMatchObject({ email: 'zoe@bücher.example', roles: ['auditor'] })
  expect(await json('user', 'export', 'restored')).toMatchObject({ user: { id: 'restored' }, tokens: [] })
  expect(await json('user', 'erasure', 'deleted')).toMatchObject({ reason: 'asked', erased: { tokens: 0 } })
  const service = await home.serveInProcess()
  const answer = await fetch(`${home.url}/unsubscribe/${UNSUBSCRIBE}`, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  expect(answer.status).toBe(200)
  const { items } = await json('subscription', 'list', '--email', 'never@example.com')
  expect(items).toMatchObject([{ feed: 'weekly', status: 'ended' }])
  await service.stop()
  expect((await home.run('user', 'delete', 'restored', '--yes')).code).toBe(0)
  expect((await home.run('audit', 'verify')).code).toBe(0)
})
