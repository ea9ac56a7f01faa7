import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { CookieJar } from '../login-provider.ts'
import { Home } from '../running-service.ts'
import { Database } from './database.ts'

const SECRET = 'a secret that is long enough for a test of two consoles'
const sessionAt = (url: string) => `rollcall-console-${new URL(url).port}`

describe('two consoles on one database', () => {
  let database: Database
  let homes: readonly Home[]
  let urls: readonly [string, string]
  beforeAll(async () => {
    database = await Database.make()
    const ports = [await freePort(), await freePort()].map(String)
    const settings = ports.map((CONSOLE_PORT) => ({ DATABASE_URL: database.url, SECRET, CONSOLE_PORT }))
    const [one, two] = [await Home.make(settings[0]), await Home.make(settings[1])]
    homes = [one, two]
    await one.serveInProcess()
    await two.takeKeysOf(one)
    await two.serveInProcess()
    urls = [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`]
  })
  afterAll(async () => {
    for (const home of homes) await home[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  /** The secret of a new login link. */
  const link = async () => {
    const { stdout } = (await homes[0]?.run('console', 'login')) ?? { stdout: '' }
    return stdout.trim().slice(stdout.lastIndexOf('/') + 1)
  }
  const redeem = async (url: string, secret: string) => {
    const jar = new CookieJar()
    const { status } = await jar.fetch(`${url}/login`, { link: secret })
    return { status, session: jar.of(url).get(sessionAt(url)) }
  }
  const ask = (url: string, session: string | undefined, form?: Readonly<Record<string, string>>) =>
    fetch(url, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      headers: { Origin: new URL(url).origin, Cookie: `${sessionAt(url)}=${session}` },
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    })

  it('know a session that was begun on the other, until it ends on either', async () => {
    const { session } = await redeem(urls[0], await link())
    const statuses = async () =>
      await Promise.all(urls.map(async (url) => (await ask(`${url}/health`, session)).status))
    expect(await statuses()).toEqual([200, 200])
    expect((await ask(`${urls[0]}/logout`, session, {})).status).toBe(303)
    expect(await statuses()).toEqual([303, 303])
  })

  it('go on with a deletion that the other began, and do nothing twice', async () => {
    const ids = Array.from({ length: 250 }, (_, n) => `u${n}`)
    const admin = await homes[0]?.token('importer', 'admin')
    const imported = await fetch(`${homes[0]?.url}/users/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/x-ndjson' },
      body: ids.map((id) => `${JSON.stringify({ id, email: `${id}@example.com` })}\n`).join(''),
    })
    expect(await imported.text()).toContain('"imported":250')
    const { session } = await redeem(urls[0], await link())
    const planned = await ask(`${urls[0]}/deletions`, session, { ids: ids.join('\n') })
    const path = planned.headers.get('location') ?? ''
    const page = async (url: string) => await (await ask(`${url}${path}`, session)).text()
    while (!(await page(urls[1])).includes('type how many: 250')) await ask(`${urls[1]}${path}`, session, {})
    await ask(`${urls[0]}${path}`, session, { begin: 'deleting', typed: '250' })
    await Promise.all([...urls, ...urls].map((url) => ask(`${url}${path}`, session, {})))
    while ((await page(urls[1])).includes('data-goes-on')) await ask(`${urls[1]}${path}`, session, {})
    const report = (await (await ask(`${urls[1]}${path}/report.csv`, session)).text()).trim().split('\r\n').slice(1)
    expect(report.toSorted()).toEqual(ids.map((id, n) => `${n + 1},${id},deleted,`).toSorted())
    const counts = 'SELECT count(*) AS records, count(DISTINCT target) AS users FROM audit_record'
    const records = await database.query(`${counts} WHERE action = 'user.delete'`)
    expect(records).toEqual([{ records: '250', users: '250' }])
  })
})
