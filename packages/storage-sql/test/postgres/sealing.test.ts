import { Sealer, type UserId } from '@rollcall/core'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { aUser } from '../a-user-change.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { clock, digests, erase, put } from './changes-of-users.ts'
import { openStorage, temporaryDatabase } from './temporary-storage.ts'

/** A transaction that has an id of its own and stays open. */
const hangingOn = async (url: string, statement: string): Promise<pg.Client> => {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('BEGIN')
  await client.query(statement)
  await client.query('SELECT pg_current_xact_id()')
  return client
}

it('is delayed by no transaction that stays open, in this database or another of the same server', async () => {
  const [url, other] = [await temporaryDatabase(), await temporaryDatabase()]
  const storage = await openStorage(url)
  const sealer = new Sealer({ ...storage, clock, digests })
  await hangingOn(other, 'CREATE TABLE hanging (id bigint)')
  await hangingOn(url, "INSERT INTO kept_number VALUES ('', 0, 'hanging', 1)")
  for (const n of [1, 2, 3]) {
    await storage.unitOfWork.run((stores) => put(stores, aUser(`user-${n}`)))
    await sealer.seal()
    expect((await storage.readers.audit.list({ after: 0, limit: 9 })).items).toHaveLength(n)
    expect((await storage.readers.events.list({ after: 0, limit: 9 })).items).toHaveLength(n)
    expect((await storage.readers.audit.head())?.last).toBe(n)
  }
})

it('keeps nobody waiting for who has appended and not ended', async () => {
  const storage = await openStorage(await temporaryDatabase())
  await storage.unitOfWork.run((stores) => put(stores, aUser('ada')))
  await storage.unitOfWork.run((stores) => put(stores, aUser('bob')))
  const { promise: end, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: appended, resolve: hasAppended } = Promise.withResolvers<void>()
  const slow = storage.unitOfWork.run(async (stores) => {
    // So that it has a transaction of its own.
    await stores.webhooks.list({ after: 0, limit: 1 })
    await erase(stores, 'ada')
    await stores.webhooks.list({ after: 0, limit: 1 })
    hasAppended()
    await end
  })
  await appended
  await storage.unitOfWork.run((stores) => erase(stores, 'bob'))
  expect(await storage.readers.users.find('bob' as UserId)).toBeUndefined()
  goOn()
  await slow
})

it('finds what has no number by an index that has little else in it', async () => {
  const url = await temporaryDatabase()
  await openStorage(url)
  await lookAt(url, async (client) => {
    await client.query(`INSERT INTO event (position, type, subject, at)
      SELECT n, 'user.created', n::text, 1 FROM generate_series(1, 20000) AS n`)
    await client.query(`INSERT INTO event (type, subject, at) VALUES ('user.created', 'new', 1)`)
    await client.query("SET enable_seqscan = off; SET plan_cache_mode = 'force_generic_plan'")
    await client.query('PREPARE look (bigint) AS SELECT id FROM event WHERE position IS NULL ORDER BY id LIMIT $1')
    const { rows } = await client.query<Record<string, string>>('EXPLAIN EXECUTE look (1000)')
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('event_unnumbered')
  })
})
