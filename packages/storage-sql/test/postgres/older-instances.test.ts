import { Unavailable } from '@rollcall/core'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lookAt } from '../postgres-server/databases.ts'
import { SmallPooler } from '../postgres-server/small-pooler.ts'
import { openStorage, temporaryDatabase } from './temporary-storage.ts'

/** A connection as an instance of the first release keeps it. */
const connectAs01 = async (url: string) => {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query('SELECT pg_try_advisory_lock_shared(7309453671250918) AS free')
  expect(rows).toEqual([{ free: true }])
  return client
}

describe('an instance of the first release, on PostgreSQL', () => {
  it('is there for as long as it has a connection, and instances of this release are none', async () => {
    const url = await temporaryDatabase()
    const [one, other] = [await openStorage(url), await openStorage(url)]
    // Several connections of each.
    await Promise.all([one, other, one, other].map(({ readers }) => readers.users.accountStatus('a')))
    expect(await one.olderInstances.present()).toBe(false)
    const client = await connectAs01(url)
    expect([await one.olderInstances.present(), await other.olderInstances.present()]).toEqual([true, true])
    await client.end()
    await expect.poll(() => one.olderInstances.present()).toBe(false)
  })

  it('does not matter on another database of the same server', async () => {
    const [url, elsewhere] = [await temporaryDatabase(), await temporaryDatabase()]
    const storage = await openStorage(url)
    await connectAs01(elsewhere)
    expect(await storage.olderInstances.present()).toBe(false)
    expect(await (await openStorage(elsewhere)).olderInstances.present()).toBe(true)
  })

  it('is seen by a role without any privilege, whichever role it runs as', async () => {
    const url = await temporaryDatabase()
    const role = `restricted_${process.pid}_${Math.floor(performance.now())}`
    await lookAt(url, (client) =>
      client.query(`CREATE ROLE ${role} LOGIN;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
        GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`),
    )
    onTestFinished(async () => {
      await lookAt(url, (client) => client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`))
    })
    const restricted = await openStorage(Object.assign(new URL(url), { username: role, password: '' }).href)
    expect(await restricted.olderInstances.present()).toBe(false)
    const client = await connectAs01(url)
    expect(await restricted.olderInstances.present()).toBe(true)
    await client.end()
    await lookAt(url, (owner) => owner.query('REVOKE SELECT ON pg_locks FROM PUBLIC'))
    const error = await restricted.olderInstances.present().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Unavailable)
    expect((error as Error).message).toContain('GRANT SELECT ON pg_locks')
    await restricted.close()
  })

  it('is seen through a pooler of sessions, where this release and that one share it', async () => {
    const url = await temporaryDatabase()
    const pooler = await SmallPooler.open(url, 'session')
    onTestFinished(() => pooler.close())
    const storage = await openStorage(pooler.through(url))
    expect(await storage.olderInstances.present()).toBe(false)
    await connectAs01(pooler.through(url))
    expect(await storage.olderInstances.present()).toBe(true)
  })
})
