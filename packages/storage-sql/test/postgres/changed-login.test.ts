import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { currentLogin } from '../../src/postgres/connection-settings.ts'
import { migratePostgres, openPostgresStorage } from '../../src/postgres/index.ts'
import { lookAt, type PostgresServer, startPostgres } from '../postgres-server/start-postgres.ts'

// The server of the other tests asks for no password.
let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
  const lines = ['host all postgres 127.0.0.1/32 trust', 'host all all 127.0.0.1/32 scram-sha-256']
  writeFileSync(path.join(server.data, 'pg_hba.conf'), `${lines.join('\n')}\n`)
  await command('SELECT pg_reload_conf()')
})
afterAll(() => server.stop())

const command = (text: string) => lookAt(server.url, (client) => client.query(text))

/** Ends every connection of the roles, as a restart of the server does. */
const cutOff = () =>
  command(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'rot%' AND backend_type = 'client backend'",
  )

const urlOf = (user: string, password: string): string =>
  Object.assign(new URL(server.url), { username: user, password, pathname: '/rot' }).href

/** A storage whose URL is what `url` is at the time. */
const open = async () => {
  await command("CREATE ROLE rot LOGIN PASSWORD 'old1'")
  await command('CREATE DATABASE rot OWNER rot')
  const at = { url: urlOf('rot', 'old1') }
  await migratePostgres(at.url)
  const storage = await openPostgresStorage({ url: at.url, currentUrl: () => at.url })
  onTestFinished(async () => {
    await storage.close()
    await command('DROP DATABASE rot WITH (FORCE)')
    await command('DROP ROLE rot')
  })
  return { at, storage, ask: () => storage.readers.users.accountStatus('ada') }
}

describe('a login that changes while the service runs', () => {
  it('fails no request while the old one and the new one are good', async () => {
    const { at, storage, ask } = await open()
    await command("CREATE ROLE rot2 LOGIN PASSWORD 'new2' IN ROLE rot")
    onTestFinished(async () => void (await command('DROP ROLE rot2')))
    let [asked, going] = [0, true]
    const asking = Array.from({ length: 20 }, async () => {
      for (; going; asked++) {
        await ask()
        await storage.unitOfWork.run(({ spentChallenges }) => spentChallenges.spend(`${asked}`, 1))
      }
    })
    const more = async () => {
      const before = asked
      await expect.poll(() => asked).toBeGreaterThan(before + 40)
    }
    await more()
    at.url = urlOf('rot2', 'new2')
    await more()
    await cutOff()
    await more()
    await command("ALTER ROLE rot PASSWORD 'gone'")
    await cutOff()
    await more()
    going = false
    await Promise.all(asking)
  })

  it('is taken over once it is written, after the password was changed', async () => {
    const { at, ask } = await open()
    await command("ALTER ROLE rot PASSWORD 'new2'")
    await ask()
    await cutOff()
    await expect(ask()).rejects.toMatchObject({ name: 'Unavailable' })
    at.url = urlOf('rot', 'new2')
    await expect(ask()).resolves.toBeUndefined()
  })
})

it('is the last one while its URL cannot be read, or is none', () => {
  let text = 'postgres://ada:one@db/x'
  const login = currentLogin(text, () => {
    if (text === 'unreadable') throw new Error(text)
    return text
  })
  const first = login()
  expect(first).toEqual({ user: 'ada', password: 'one' })
  for (text of ['', 'unreadable', 'postgres://ada:tw', 'sqlite:x', 'postgres://ada:one@db/x'])
    expect(login()).toBe(first)
  text = 'postgres://ad%61:t%40o@one,two:7/x?pool=7'
  expect(login()).toEqual({ user: 'ada', password: 't@o' })
})
