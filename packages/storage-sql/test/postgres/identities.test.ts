import { setTimeout as sleep } from 'node:timers/promises'
import { NOTHING_ERASED, type Stores, UserDeleted, type UserId } from '@rollcall/core'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import type { PostgresStorage } from '../../src/postgres/index.ts'
import { aUser } from '../a-user-change.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

const id = 'ada' as UserId
const THEN = 1_000
const TOMBSTONE = { deletedAt: THEN, audit: 1, erasesAt: undefined, erased: NOTHING_ERASED, subscriptionsKept: 0 }

const versionIn = async ({ client }: PostgresStorage): Promise<unknown> =>
  (await client.query({ text: "SELECT version FROM identity WHERE id = 'ada'" })).rows.map(({ version }) => version)[0]

const opened = async () => {
  const url = await sharedDatabase()
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return { storage: await openStorage(url), other: client }
}

it('raises the version of an id with every change of its user, and only then', async () => {
  const { storage } = await opened()
  const { unitOfWork } = storage
  const put = ({ users }: Stores) => users.put(aUser(id))
  // One that goes with others, and one that has a transaction to itself.
  const alone = (work: (stores: Stores) => Promise<unknown>) => async (stores: Stores) => {
    await stores.webhooks.list({ after: 0, limit: 1 })
    await work(stores)
  }
  const bury = async ({ users, tombstones }: Stores) => {
    await users.erase(id)
    await tombstones.put(id, TOMBSTONE)
  }
  const restore = async (stores: Stores) => {
    await stores.tombstones.remove(id)
    await put(stores)
  }
  const look = async ({ users, tombstones }: Stores) => {
    await users.find(id)
    await tombstones.has(id)
    await users.accountStatus(id)
  }
  const versions: unknown[] = []
  for (const work of [put, alone(put), look, alone(look), bury, alone(restore), alone(bury), alone(restore)]) {
    await unitOfWork.run(work)
    versions.push(await versionIn(storage))
  }
  expect(versions).toEqual([1, 2, 2, 2, 3, 5, 6, 8])
})

it('decides by the row alone, also beside who locks nothing else', async () => {
  const { storage, other } = await opened()
  await storage.unitOfWork.run(({ users }) => users.put(aUser(id)))
  for (const end of ['ROLLBACK', 'COMMIT']) {
    await other.query(`BEGIN; UPDATE identity SET deleted_at = ${THEN}, version = version + 1 WHERE id = 'ada'`)
    let done = false
    const put = storage.unitOfWork
      .run(async (stores) => {
        await stores.webhooks.list({ after: 0, limit: 1 })
        await stores.users.put(aUser(id, { name: end }))
      })
      .finally(() => {
        done = true
      })
    const outcome = put.then(
      () => 'stored',
      (error: unknown) => error instanceof UserDeleted,
    )
    await sleep(100)
    expect(done).toBe(false)
    await other.query(end)
    expect(await outcome).toBe(end === 'COMMIT' ? true : 'stored')
  }
})
