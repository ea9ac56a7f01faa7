import { Unavailable } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  examinePostgres,
  openPostgresSource,
  openPostgresStorage,
  openPostgresTarget,
  pendingMigrations,
  StorageNotUsable,
} from '../../src/postgres/index.ts'
import { statement } from '../../src/postgres/statement.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { Passage } from '../postgres-server/passage.ts'
import { SmallPooler } from '../postgres-server/small-pooler.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

const REFUSED = /pools transactions, so that locks and settings of a session are lost\. Set its pool_mode to session/

const openPooler = async (mode: 'session' | 'transaction') => {
  const url = await sharedDatabase()
  const pooler = await SmallPooler.open(url, mode)
  onTestFinished(() => pooler.close())
  return { url, pooled: pooler.through(url) }
}

const OPENINGS: [string, (url: string) => Promise<unknown>][] = [
  ['serve', (url) => openPostgresStorage({ url })],
  ['examine', examinePostgres],
  ['migrate', pendingMigrations],
  ['move from it', openPostgresSource],
  ['move to it', openPostgresTarget],
]

describe('behind a pooler of transactions', () => {
  it.each(OPENINGS)('one cannot %s, hears why, and leaves nothing in the session', async (_, open) => {
    const { pooled } = await openPooler('transaction')
    const error = await open(pooled).catch((reason: unknown) => reason)
    expect(error).toEqual(expect.any(StorageNotUsable))
    expect((error as Error).message).toMatch(REFUSED)
    const left = await lookAt(pooled, async (client) => {
      const { rows } = await client.query(
        `SELECT current_setting('statement_timeout') AS timeout,
          (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks`,
      )
      return rows
    })
    expect(left).toEqual([{ timeout: '0', locks: 0 }])
  })

  it('that was put in later, readiness is refused with the reason until it is gone', async () => {
    const { url, pooled } = await openPooler('transaction')
    const passage = await Passage.open(url)
    onTestFinished(() => passage.close())
    const heard: string[] = []
    const storage = await openPostgresStorage({
      url: passage.through(url),
      onConnectionLoss: ({ message }) => heard.push(message),
    })
    onTestFinished(() => storage.close())
    const { health } = storage.readers.outbox
    expect(await health()).toMatchObject({ parked: false })
    passage.leadTo(pooled)
    passage.hangUp(Buffer.alloc(0))
    for (let n = 0; n < 2; n++) {
      const error = await health().catch((reason: unknown) => reason)
      expect(error).toEqual(expect.any(Unavailable))
      expect((error as Unavailable).cause).toMatchObject({ message: expect.stringMatching(REFUSED) })
    }
    expect(heard.filter((message) => REFUSED.test(message))).toHaveLength(1)
    passage.leadTo(url)
    expect(await health()).toMatchObject({ parked: false })
  })

  it('that comes back as one after it pooled sessions is refused at once', async () => {
    const { url, pooled } = await openPooler('session')
    const transactions = await SmallPooler.open(url, 'transaction')
    onTestFinished(() => transactions.close())
    const passage = await Passage.open(pooled)
    onTestFinished(() => passage.close())
    const { readers } = await openStorage(passage.through(url))
    expect(await readers.outbox.health()).toMatchObject({ parked: false })
    passage.leadTo(transactions.through(url))
    passage.hangUp(Buffer.alloc(0))
    const error = await readers.outbox.health().catch((reason: unknown) => reason)
    expect(error).toEqual(expect.any(Unavailable))
    expect((error as Unavailable).cause).toMatchObject({ message: expect.stringMatching(REFUSED) })
  })
})

it('behind a pooler of sessions everything works', async () => {
  const { pooled } = await openPooler('session')
  const { readers } = await openStorage(pooled)
  expect(await readers.outbox.health()).toMatchObject({ parked: false })
  expect(await Promise.all([1, 2, 3, 4].map(() => readers.feeds.list({ after: 0, limit: 2 })))).toHaveLength(4)
})

it('statements have the name of their text, which no other text has', () => {
  const [one, same, other] = ['SELECT 1', 'SELECT 1', 'SELECT 2'].map((text) => statement(text).name)
  expect([one === same, one === other]).toEqual([true, false])
  // PostgreSQL would cut off what is beyond.
  expect(one?.length).toBeLessThan(64)
})
