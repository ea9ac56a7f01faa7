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

const post = async (
  target: string,
  fields: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> => {
  const answer = await fetch(url + target, { method: 'POST', body: new URLSearchParams(fields) })
  return { status: answer.status, body: await answer.json() }
}

const mailFiles = async (): Promise<string[]> =>
  (await readdir(path.join(folder, 'mail'))).filter((name) => name.endsWith('.eml')).sort()

/** The path of a link, in whichever of the mails it is. */
const mailed = async (purpose: string): Promise<string> => {
  await composition.useCases.deliverOutbox.execute({ limit: 10 })
  for (const name of await mailFiles()) {
    const mail = await readFile(path.join(folder, 'mail', name), 'utf8')
    const link = new RegExp(`/${purpose}/[0-9a-f.]+`).exec(mail.replace(/=\r\n/g, ''))
    if (link) return link[0]
  }
  throw new Error(`no mail has a link to ${purpose}`)
}

const eventsOf = async () => (await composition.useCases.readers.events.list({ after: 0, limit: 200 })).items

it('confirms once when one link is pressed a hundred times at once: one transition, one record, one event', async () => {
  await post('/subscribe', { email: EMAIL })
  const link = await mailed('confirm')
  const answers = await Promise.all(Array.from({ length: 100 }, () => post(link)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(100)
  const done = { message: 'The subscription is confirmed.' }
  expect(answers.filter(({ body }) => JSON.stringify(body) === JSON.stringify(done))).toHaveLength(1)
  expect((await eventsOf()).map(({ type }) => type)).toEqual(['subscription.pending', 'subscription.confirmed'])
  const { items } = await composition.readers.subscriptions.listEvidence({ after: 0, limit: 10 })
  expect(items.map(({ subscription }) => subscription.status)).toEqual(['confirmed'])
  expect(items[0]?.consents.map(({ deed, count }) => [deed, count])).toEqual([
    ['requested', 1],
    ['confirmed', 1],
  ])
})

it('lets the owner of an address see, change, download and erase what is on disk, a hundred times at once', async () => {
  await post('/subscribe', { email: EMAIL, name: 'Ada' })
  await post(await mailed('confirm'))
  // As if the first mail were long ago.
  await composition.storage.unitOfWork.run(({ mailCaps }) => mailCaps.prune(Number.MAX_SAFE_INTEGER, 10))
  expect(await post('/preferences', { email: EMAIL })).toMatchObject({ status: 200 })
  const link = await mailed('preferences')
  const before = await (await fetch(`${url}${link}/export`)).json()
  const kept_mails = [expect.any(String), expect.any(String)]
  expect(before).toMatchObject({ email: EMAIL, subscriptions: [{ name: 'Ada', status: 'confirmed', kept_mails }] })
  await Promise.all(Array.from({ length: 100 }, () => post(link, { action: 'end-all' })))
  expect(await (await fetch(url + link)).json()).toMatchObject({ subscriptions: [{ status: 'ended' }] })
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => post(link, { action: 'erase', never_again: 'true' })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(99)
  expect(await mailFiles()).toEqual([])
  expect((await eventsOf()).map(({ type }) => type)).toEqual([
    'subscription.pending',
    'subscription.confirmed',
    'subscription.ended',
    'subscription.erased',
  ])
  const { items } = await composition.readers.suppressions.list({ after: 0, limit: 10 })
  expect(items.map(({ cause }) => cause)).toEqual(['never-again'])
})

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
  const refuse = await mailed('refuse')
  for (const again of [1, 2]) await ask(`beyond the caps ${again}`)
  for (const again of [1, 2]) await ask(`honeypot ${again}`, { website: 'https://spam.example' })
  await post(refuse)
  for (const again of [1, 2]) await ask(`suppressed ${again}`)
})
