import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { POSTGRES_MIGRATIONS } from '../../src/migrations/postgres/index.ts'
import {
  examinePostgres,
  isServed,
  migratePostgres,
  openPostgresStorage,
  pendingMigrations,
} from '../../src/postgres/index.ts'
import { lookAt, withLeastRights } from '../postgres-server/databases.ts'
import { openStorage, temporaryDatabase } from './temporary-storage.ts'

const MIGRATIONS = Object.keys(POSTGRES_MIGRATIONS)

const at = (url: string, schema: string): string => {
  const address = new URL(url)
  address.searchParams.set('schema', schema)
  return address.href
}

const OTHERS = `CREATE TABLE kysely_migration (name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL);
  CREATE TABLE event (theirs integer); CREATE TABLE feed (theirs integer);
  CREATE SCHEMA shop; CREATE TABLE shop.outbox (theirs integer)`

const relationsIn = (url: string, schema: string): Promise<string[]> =>
  lookAt(url, async (client) => {
    const sql = 'SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind = $2 ORDER BY 1'
    return (await client.query<{ relname: string }>(sql, [schema, 'r'])).rows.map(({ relname }) => relname)
  })

describe('a database that is not ours alone', () => {
  it('has all that is ours in the schema that was named, which is made, and keeps what is beside it', async () => {
    const url = await temporaryDatabase({ empty: true })
    await lookAt(url, (client) => client.query(OTHERS))
    const ours = at(url, 'rollcall')
    expect(await pendingMigrations(ours)).toEqual(MIGRATIONS)
    expect(await migratePostgres(ours)).toEqual(MIGRATIONS)
    expect(await migratePostgres(ours)).toEqual([])
    expect(await relationsIn(url, 'public')).toEqual(['event', 'feed', 'kysely_migration'])
    expect(await relationsIn(url, 'shop')).toEqual(['outbox'])
    expect(await relationsIn(url, 'rollcall')).toContain('rollcall_migration')
    const { readers, close } = await openStorage(ours)
    expect((await readers.feeds.list({ after: 0, limit: 9 })).items).toHaveLength(1)
    await close()
    const examination = await examinePostgres(ours)
    expect(await examination.outbox.depth()).toMatchObject({})
    await examination.close()
  })

  it('is used whatever search path the database and the role have', async () => {
    const url = await temporaryDatabase({ empty: true })
    await migratePostgres(url)
    const name = new URL(url).pathname.slice(1)
    await lookAt(url, (client) => client.query(`ALTER DATABASE "${name}" SET search_path = nowhere`))
    const { readers, unitOfWork } = await openStorage(url)
    expect((await readers.feeds.list({ after: 0, limit: 9 })).items).toHaveLength(1)
    await unitOfWork.run(({ spentChallenges }) => spentChallenges.spend('a', 1))
    expect(await migratePostgres(url)).toEqual([])
    // Whoever writes by hand meets the same guards.
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    await expect(client.query('DELETE FROM public.audit_record')).resolves.toMatchObject({ rowCount: 0 })
  })

  it('says what to set if a name is taken, and changes nothing', async () => {
    const url = await temporaryDatabase({ empty: true })
    await lookAt(url, (client) => client.query(OTHERS))
    await expect(migratePostgres(url)).rejects.toMatchObject({
      name: 'StorageNotUsable',
      message: expect.stringMatching(/another application.*Set ROLLCALL_DATABASE_SCHEMA/),
    })
    expect(await relationsIn(url, 'public')).toEqual(['event', 'feed', 'kysely_migration'])
  })

  it('is of no harm to another application with its own schema, whose user is the same (Kysely)', async () => {
    const url = await temporaryDatabase({ empty: true })
    await lookAt(url, (client) =>
      client.query(`CREATE SCHEMA shop; CREATE TABLE shop.kysely_migration (name varchar(255) PRIMARY KEY);
        CREATE TABLE shop.kysely_migration_lock (id varchar(255) PRIMARY KEY, is_locked integer NOT NULL DEFAULT 0)`),
    )
    expect(await migratePostgres(url)).toEqual(MIGRATIONS)
    await openStorage(url)
    expect(await relationsIn(url, 'shop')).toEqual(['kysely_migration', 'kysely_migration_lock'])
  })

  it('is migrated, used and examined by a role that may only make tables in that schema', async () => {
    const url = await temporaryDatabase({ empty: true })
    const role = new URL(withLeastRights(url)).username
    await lookAt(url, (client) => client.query(`CREATE SCHEMA rollcall AUTHORIZATION ${role}`))
    const ours = at(withLeastRights(url), 'rollcall')
    expect(await migratePostgres(ours)).toEqual(MIGRATIONS)
    const { unitOfWork } = await openStorage(ours)
    await unitOfWork.run(({ spentChallenges }) => spentChallenges.spend('a', 1))
    const examination = await examinePostgres(ours)
    expect(await examination.damage()).toEqual([])
    await examination.close()
  })

  it.each([
    ['INSERT ON user_account', /not let this user read and write user_account\. Grant it/],
    ['ALL ON ALL TABLES IN SCHEMA public', /does not let this user/],
    ['ALL ON ALL SEQUENCES IN SCHEMA public', /not let this user read and write \w+_seq and \d+ more\. Grant it/],
  ])('is not opened by a role that was not granted %s', async (right, sentence) => {
    const url = await temporaryDatabase()
    await lookAt(url, (client) => client.query(`REVOKE ${right} FROM ${new URL(withLeastRights(url)).username}`))
    await expect(openStorage(withLeastRights(url))).rejects.toThrow(sentence)
  })

  it('is examined by a role that owns nothing, and says so if it may not compare', async () => {
    const url = await temporaryDatabase()
    const damage = async () => {
      const examination = await examinePostgres(withLeastRights(url))
      const found = await examination.damage()
      await examination.close()
      return found
    }
    expect(await damage()).toEqual([])
    const name = new URL(url).pathname.slice(1)
    await lookAt(url, (client) => client.query(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`))
    expect(await damage()).toBeUndefined()
    await expect(migratePostgres(at(withLeastRights(url), 'other'))).rejects.toThrow(/does not let this user do what/)
  })

  it('knows the instances on that schema, and not those on another', async () => {
    const url = await temporaryDatabase({ empty: true })
    const [here, there] = [at(url, 'here'), at(url, 'there')]
    await migratePostgres(here)
    await migratePostgres(there)
    const command = await openStorage(there)
    const instance = await openPostgresStorage({ url: here, serving: true })
    onTestFinished(instance.close)
    expect(await Promise.all([isServed(here), isServed(there), command.isServed()])).toEqual([true, false, false])
  })

  it('may be called as a word of SQL', async () => {
    const ours = at(await temporaryDatabase({ empty: true }), 'user')
    expect(await migratePostgres(ours)).toEqual(MIGRATIONS)
    expect(await pendingMigrations(ours)).toEqual([])
  })

  it('is named once', async () => {
    const twice = pendingMigrations('postgres://localhost/x?schema=a&schema=b')
    await expect(twice).rejects.toThrow('names the schema twice')
  })

  it.each(['Rollcall', 'a-b', 'pg_x', '', 'x; DROP'])('has no schema called %j', async (schema) => {
    await expect(pendingMigrations(at('postgres://localhost/x', schema))).rejects.toThrow('has the schema')
  })
})
