import http from 'node:http'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { Home } from './running-service.ts'
import type { ServiceInProcess } from './serve-in-process.ts'

const CLIENTS = 1_000
const FORMS = 2_000
const ADDRESS = 'victim@example.com'

describe('a flood of forms', () => {
  let home: Home
  let server: ServiceInProcess
  beforeAll(async () => {
    home = await Home.make({ TRUST_PROXY: '1', RATE_LIMIT: '20/1m' })
    server = await home.serveInProcess()
  })
  afterAll(async () => await home[Symbol.asyncDispose]())

  const agent = new http.Agent({ keepAlive: true, maxSockets: 50 })
  afterAll(() => agent.destroy())
  const subscribe = (client: string, email: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const body = `email=${encodeURIComponent(email)}&name=${encodeURIComponent('x'.repeat(200))}`
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': client }
      const request = http.request(`${home.url}/subscribe`, { method: 'POST', headers, agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
      request.on('error', reject).end(body)
    })

  it('for one address, from a thousand clients, ends in one mail, one subscription and a small database', async () => {
    const clientOf = (n: number) => `10.${n % 4}.${Math.floor((n % CLIENTS) / 4)}.1`
    expect(new Set(Array.from({ length: FORMS }, (_, n) => clientOf(n))).size).toBe(CLIENTS)
    const statuses = await Promise.all(Array.from({ length: FORMS }, (_, n) => subscribe(clientOf(n), ADDRESS)))
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    await eventually(async () => (await home.mails()).length > 0, 'that there is a mail')
    await server.stop()
    expect(await home.mails()).toHaveLength(1)

    const database = new DatabaseSync(path.join(home.folder, 'data/rollcall.db'), { readOnly: true })
    try {
      const tables = database
        .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'rollcall_migration'`)
        .all()
      const rows = tables.map(({ name }) => [name, database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.n])
      const counts = Object.fromEntries(rows)
      expect(counts.subscription).toBe(1)
      for (const [name, count] of rows) expect([name, Number(count) <= 10]).toEqual([name, true])
      // As if all forms had waited at once: their rows go, and the file keeps the pages.
      expect(database.prepare('PRAGMA page_count').get()?.page_count).toBeLessThan(600)
    } finally {
      database.close()
    }
    server = await home.serveInProcess()
  })

  it('from one network stops at a hundred, whichever of its clients sends them', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 130; n++) statuses.push(await subscribe(`198.51.100.${n}`, `victim+${n}@example.com`))
    expect(statuses).toEqual(statuses.map((_, n) => (n < 100 ? 200 : 429)))
    for (const email of ['victim+0@example.com', 'new@example.com', 'no address'])
      expect(await subscribe('198.51.100.200', email)).toBe(429)
    expect(await subscribe('198.51.101.1', 'victim+0@example.com')).toBe(200)
  })
})
