import { Unavailable } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { POSTGRES_MIGRATIONS } from '../../src/migrations/postgres/index.ts'
import {
  examinePostgres,
  migratePostgres,
  openPostgresStorage,
  openPostgresTarget,
  pendingMigrations,
  StorageNotUsable,
} from '../../src/postgres/index.ts'
import { requireFacts } from '../../src/postgres/session.ts'
import { putTombstone } from '../a-tombstone.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { Passage } from '../postgres-server/passage.ts'
import { OtherEngine } from './other-engine.ts'
import { onceFree, openStorage, sharedDatabase, temporaryDatabase } from './temporary-storage.ts'

const MIGRATIONS = Object.keys(POSTGRES_MIGRATIONS)

const problemOf = async (opening: Promise<unknown>) => {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StorageNotUsable)
  return (error as StorageNotUsable).problem
}

describe('migrating', () => {
  it('brings an empty database up to date once, however many begin at the same time', async () => {
    const url = await temporaryDatabase({ empty: true })
    expect(await pendingMigrations(url)).toEqual(MIGRATIONS)
    expect(await problemOf(openPostgresStorage({ url }))).toBe('older-schema')
    const taken = await Promise.all([1, 2, 3, 4].map(() => migratePostgres(url)))
    expect(taken.flat()).toEqual(MIGRATIONS)
    expect(await pendingMigrations(url)).toEqual([])
    expect(await migratePostgres(url)).toEqual([])
    expect(await (await openStorage(url)).migrations.pending()).toEqual([])
  })

  it('leaves nothing behind when it fails halfway', async () => {
    const url = await temporaryDatabase({ empty: true })
    await lookAt(url, (client) => client.query('CREATE TABLE suppression (in_the_way integer)'))
    await expect(migratePostgres(url)).rejects.toThrow(
      /is not what a migration goes by: .*suppression.* Nothing was changed/,
    )
    expect(await pendingMigrations(url)).toEqual(MIGRATIONS)
    await lookAt(url, (client) => client.query('DROP TABLE suppression'))
    expect(await migratePostgres(url)).toEqual(MIGRATIONS)
  })

  it('goes on while an instance of before works on', async () => {
    const url = await temporaryDatabase()
    const storage = await openStorage(url)
    const [taken] = await Promise.all([migratePostgres(url), storage.unitOfWork.run(putTombstone('a'))])
    expect(taken).toEqual([])
    expect(await storage.readers.users.accountStatus('a')).toBe('deleted')
  })
})

describe('opening', () => {
  it.each([
    ['DROP TABLE webhook_delivery', /it lacks webhook_delivery\./],
    ['DROP TABLE console_session', /it lacks console_session\./],
    ['ALTER TABLE user_account RENAME COLUMN name TO called', /it lacks user_account\.name\./],
    ['ALTER TABLE subscription_term RENAME COLUMN place TO other', /it lacks subscription_term\.place\./],
    ['ALTER TABLE rate_limit DROP points, DROP expire', /it lacks rate_limit\.points and 1 more\./],
    ['DROP TABLE feed; CREATE VIEW feed AS SELECT 1 AS name', /it lacks feed\./],
  ])('refuses a database that lacks something: %s', async (statement, lacking) => {
    const url = await temporaryDatabase()
    await lookAt(url, (client) => client.query(statement))
    await expect(openPostgresStorage({ url })).rejects.toMatchObject({
      ...{ name: 'StorageNotUsable', problem: 'damaged' },
      message: expect.stringMatching(lacking),
    })
    for (const again of [openPostgresTarget, pendingMigrations, migratePostgres])
      await expect(onceFree<unknown>(() => again(url))).rejects.toThrow(lacking)
    const examination = await examinePostgres(url)
    expect(await examination.damage()).not.toEqual([])
    await examination.close()
  })

  it('says so if a table went afterwards', async () => {
    const url = await temporaryDatabase()
    const storage = await openStorage(url)
    await lookAt(url, (client) => client.query('DROP TABLE instance'))
    await expect(storage.recall('secret')).rejects.toMatchObject({
      ...{ name: 'StorageNotUsable', problem: 'damaged' },
      message: expect.not.stringContaining('Nothing was changed'),
    })
  })

  it('refuses a table of migrations that is another', async () => {
    const url = await temporaryDatabase({ empty: true })
    await lookAt(url, (client) => client.query('CREATE TABLE rollcall_migration (theirs integer)'))
    for (const open of [migratePostgres, pendingMigrations, (url: string) => openPostgresStorage({ url })])
      expect(await problemOf(open(url))).toBe('damaged')
  })

  it('refuses a server that is too old, read-only, or does not store UTF-8', async () => {
    const good = { version: '150000', encoding: 'UTF8' }
    requireFacts(good, 'db')
    expect(() => requireFacts({ ...good, version: '140013' }, 'db')).toThrow('PostgreSQL 15 or later')
    expect(() => requireFacts({ ...good, encoding: 'SQL_ASCII' }, 'db')).toThrow('SQL_ASCII')
    const url = await temporaryDatabase()
    await lookAt(url, (client) =>
      client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`),
    )
    expect(await problemOf(openPostgresStorage({ url }))).toBe('not-accessible')
  })

  it('refuses an engine that does not know what PostgreSQL knows, by its name', async () => {
    const version = 'CockroachDB CCL v25.4.2 (x86_64-pc-linux-gnu)'
    const engine = await OtherEngine.open((text) => {
      if (text.includes('version()')) return { version }
      throw new Error('unrecognized configuration parameter "jit"')
    })
    await expect(openPostgresStorage({ url: engine.url })).rejects.toThrow(/is CockroachDB, and does not keep the/)
    expect(await problemOf(migratePostgres(engine.url))).toBe('settings')
  })

  it('refuses an engine that only answers as if it had locked something', async () => {
    const engineOf = (version: string) =>
      OtherEngine.open((text): Record<string, string> => {
        if (text.includes('pg_locks')) return { held: '0' }
        if (text.includes('advisory')) return { free: 't' }
        if (text.includes('version()')) return { version }
        return { readonly: 'off', incarnation: '', version: '150000', encoding: 'UTF8' }
      })
    for (const [version, name] of [
      ['PostgreSQL 13.0.0 on CockroachDB', 'CockroachDB'],
      ['PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu', 'YugabyteDB'],
      ['Some Database 1.0', 'not PostgreSQL itself'],
    ] as const) {
      const { url } = await engineOf(version)
      await expect(openPostgresStorage({ url })).rejects.toThrow(`is ${name}, and does not keep the advisory locks`)
    }
  })

  it.each(['pg_advisory_lock_shared', 'pg_advisory_lock(', 'pg_locks'])(
    'refuses an engine that does not know %s',
    async (unknown) => {
      const { url } = await OtherEngine.open((text): Record<string, string> => {
        if (text.includes(unknown)) throw new Error('unknown function or table')
        if (text.includes('advisory')) return { free: 't' }
        if (text.includes('version()')) return { version: 'Some Database 1.0' }
        return { readonly: 'off', incarnation: '', version: '150000', encoding: 'UTF8' }
      })
      await expect(openPostgresStorage({ url })).rejects.toThrow(
        'is not PostgreSQL itself, and does not keep the advisory',
      )
      expect(await problemOf(migratePostgres(url))).toBe('settings')
    },
  )

  it('says what stands in the way, and never the password', async () => {
    const url = await temporaryDatabase()
    const nowhere = Object.assign(new URL(url), { pathname: '/nowhere', password: 'hush-hush' }).href
    const error = await openPostgresStorage({ url: nowhere }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StorageNotUsable)
    expect(String(error)).toContain('does not have this database')
    expect(String(error)).not.toContain('hush-hush')
    expect(await problemOf(openPostgresStorage({ url: 'postgres://127.0.0.1:1/x' }))).toBe('not-accessible')
    expect(await problemOf(openPostgresStorage({ url: 'mysql://127.0.0.1/x' }))).toBe('settings')
  })
})

describe('a storage', () => {
  it('finishes the units that have begun when it is closed, and closes once however often it is called', async () => {
    const url = await temporaryDatabase()
    const storage = await openPostgresStorage({ url })
    const unit = storage.unitOfWork.run(putTombstone('a'))
    await Promise.all([storage.close(), storage.close()])
    await unit
    await expect(storage.readers.users.accountStatus('a')).rejects.toBeInstanceOf(Unavailable)
    expect(await (await openStorage(url)).readers.users.accountStatus('a')).toBe('deleted')
  })

  it('settles a value once, for every process and for as long as there is the database', async () => {
    const url = await temporaryDatabase()
    const [first, second] = [await openStorage(url), await openStorage(url)]
    expect(await first.recall('fingerprint')).toBeUndefined()
    const settled = await Promise.all([first.settle('fingerprint', 'one'), second.settle('fingerprint', 'two')])
    expect(new Set(settled)).toHaveLength(1)
    expect(await second.settle('fingerprint', 'three')).toBe(settled[0])
    await second.resettle('fingerprint', 'four')
    expect(await first.recall('fingerprint')).toBe('four')
  })

  it('gets another connection where one is accepted and nothing comes of it, as balancers do in a fail-over', async () => {
    const url = await sharedDatabase()
    const passage = await Passage.open(url)
    onTestFinished(() => passage.close())
    const { readers } = await openStorage(passage.through(url))
    let stuck: unknown
    passage.mischief.onRequest = (bytes, client) => {
      // Only the first message of a connection has no type.
      if (bytes[0] === 0) stuck ??= client
      return client !== stuck
    }
    passage.hangUp(Buffer.alloc(0))
    expect(await readers.outbox.health()).toMatchObject({ parked: false })
    expect(stuck).toBeDefined()
  })

  it('keeps the audit trail from being changed or cut, by any statement', async () => {
    const url = await temporaryDatabase()
    const { unitOfWork } = await openStorage(url)
    const record = { at: 1, actor: 'root', roleSource: 'token', tokenId: undefined, channel: 'http' } as const
    const entry = { requestId: undefined, action: 'user.put', target: 'a', outcome: 'done', reason: undefined } as const
    await unitOfWork.run(({ audit }) => audit.append({ ...record, ...entry, count: 1, rolesHash: undefined }))
    await lookAt(url, async (client) => {
      await expect(client.query("UPDATE audit_record SET actor = 'x'")).rejects.toThrow('never change')
      await expect(client.query('DELETE FROM audit_record')).rejects.toThrow('never removed')
      await expect(client.query('TRUNCATE audit_record')).rejects.toThrow('never removed')
      await expect(client.query('INSERT INTO audit_record SELECT * FROM audit_record')).rejects.toThrow('unique')
      await client.query('UPDATE audit_record SET sequence = 1')
      for (const sql of ['sequence = 1', 'sequence = 2', 'sequence = NULL', 'id = 7'])
        await expect(client.query(`UPDATE audit_record SET ${sql}`)).rejects.toThrow('never change')
      const another = `INSERT INTO audit_record (at, actor, role_source, channel, action, outcome, count)
        SELECT at, actor, role_source, channel, action, outcome, count FROM audit_record`
      await client.query(another)
      const both = "UPDATE audit_record SET sequence = 2, actor = 'x' WHERE sequence IS NULL"
      await expect(client.query(both)).rejects.toThrow('never change')
      await expect(client.query(`INSERT INTO audit_seal VALUES (2, 2, 'h', 1, 'm')`)).rejects.toThrow('does not follow')
      await client.query(`INSERT INTO audit_seal VALUES (1, 1, 'h', 1, 'm')`)
      await expect(client.query('UPDATE audit_seal SET at = 2')).rejects.toThrow('never change')
      await expect(client.query('DELETE FROM audit_seal')).rejects.toThrow('never removed')
      await expect(client.query('TRUNCATE audit_seal')).rejects.toThrow('never removed')
    })
  })

  it('waits for every commit to be on disk, even where the server would not', async () => {
    const url = await temporaryDatabase()
    await lookAt(url, (client) =>
      client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`),
    )
    const { client } = await openStorage(url)
    const { rows } = await client.query({ text: "SELECT current_setting('synchronous_commit') AS found" })
    expect(rows).toEqual([{ found: 'on' }])
  })

  it('plans for tables as they will be, however empty they are', async () => {
    const url = await temporaryDatabase()
    await lookAt(url, (client) => client.query('VACUUM ANALYZE'))
    const { client } = await openStorage(url)
    const { rows } = await client.query({ text: "EXPLAIN SELECT FROM identity WHERE id = 'a'" })
    expect(rows[0]).toEqual({ 'QUERY PLAN': expect.stringContaining('identity_pkey') })
  })
})
