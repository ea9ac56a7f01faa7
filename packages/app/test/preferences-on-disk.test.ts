import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createHttpServer, drain } from '@rollcall/http-koa'
import { migrateSqlite } from '@rollcall/storage-sql/sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Composition, openComposition } from '../src/composition.ts'
import { readConfig } from '../src/config.ts'
import { silentLog } from '../src/log.ts'

const EMAIL = 'ada@example.com'
let folder: string
let composition: Composition
let server: ReturnType<typeof createHttpServer>
let url: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-links-'))
  const config = readConfig({ ROLLCALL_DATA_DIR: folder })
  await migrateSqlite(config.databaseFile)
  composition = await openComposition(config, silentLog)
  const { useCases, jwks } = composition
  const settings = { publicUrl: 'http://127.0.0.1', trace: false, trustProxy: 0, corsOrigins: [], log: silentLog }
  server = createHttpServer({ useCases, jwks, ...settings }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await drain(server, 1000)
  await composition.close()
  await rm(folder, { recursive: true })
})

const post = (target: string, fields: Record<string, string> = {}) =>
  fetch(url + target, { method: 'POST', body: new URLSearchParams(fields) })

/** The path of the link to refuse, in whichever of the mails it is. */
const mailedRefusal = async (): Promise<string> => {
  await composition.useCases.deliverOutbox.execute({ limit: 10 })
  const names = (await readdir(path.join(folder, 'mail'))).filter((name) => name.endsWith('.eml'))
  const mails = await Promise.all(names.map((name) => readFile(path.join(folder, 'mail', name), 'utf8')))
  return /\/refuse\/[0-9a-f.]+/.exec(mails.join('').replace(/=\r\n/g, ''))?.[0] ?? ''
}

it('waits for the disk on every preferences request, so that no response time reveals what is known', async () => {
  const log = () => readFile(path.join(folder, 'rollcall.db-wal'))
  const ask = async (state: string, more = {}): Promise<void> => {
    const before = await log()
    expect([state, (await post('/preferences', { email: EMAIL, ...more })).status]).toEqual([state, 200])
    expect([state, (await log()).equals(before)]).toEqual([state, false])
  }
  for (const again of [1, 2]) await ask(`unknown ${again}`)
  await post('/subscribe', { email: EMAIL })
  for (const again of [1, 2]) await ask(`a mail waits ${again}`)
  const refuse = await mailedRefusal()
  for (const again of [1, 2]) await ask(`beyond the caps ${again}`)
  for (const again of [1, 2]) await ask(`honeypot ${again}`, { website: 'https://spam.example' })
  expect((await post(refuse)).status).toBe(200)
  for (const again of [1, 2]) await ask(`suppressed ${again}`)
})
