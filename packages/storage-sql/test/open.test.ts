import { chmodSync, copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Unavailable, type UserId } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MIGRATION_TABLE } from '../src/schema-version.ts'
import { openConnection, requireSettings } from '../src/sqlite/connection.ts'
import { Connection } from '../src/sqlite/driver.ts'
import {
  backupSqlite,
  examineSqlite,
  migrateSqlite,
  openSqliteStorage,
  pendingMigrations,
  StorageNotUsable,
} from '../src/sqlite/index.ts'
import { requireSqlite } from '../src/sqlite/open-file.ts'
import { aTombstone } from './a-tombstone.ts'
import { lookAt, makeDatabase, newDatabase, newFolder, openStorage } from './temporary-storage.ts'

const rightsOf = (file: string): string => (statSync(file).mode & 0o777).toString(8)
const problemOf = async (opening: Promise<unknown>) => {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StorageNotUsable)
  return (error as StorageNotUsable).problem
}

const damageOf = async (file: string) => {
  const examination = await examineSqlite(file)
  try {
    return (await examination.damage())?.join('; ')
  } finally {
    await examination.close()
  }
}

describe('a connection', () => {
  it('is durable, erases what it deletes, keeps references and never waits inside SQLite', async () => {
    const file = await newDatabase()
    for (const readonly of [false, true]) {
      const connection = await openConnection(file, { readonly })
      onTestFinished(() => {
        connection.close()
      })
      const read = (name: string) => connection.pragma(name)
      expect(read('journal_mode')).toBe('wal')
      expect(read('synchronous')).toBe(2)
      expect(read('secure_delete')).toBe(1)
      expect(read('foreign_keys')).toBe(1)
      expect(read('busy_timeout')).toBe(0)
      expect(read('temp_store')).toBe(2)
    }
  })

  it('leaves the sync to those who wait for it after the lock, where it is synced apart', async () => {
    const connection = await openConnection(await newDatabase(), { syncedApart: true })
    onTestFinished(() => {
      connection.close()
    })
    expect(connection.pragma('synchronous')).toBe(1)
  })

  it('is refused where a setting does not take', () => {
    const memory = Connection.inMemory()
    onTestFinished(() => {
      memory.close()
    })
    memory.pragma('journal_mode = wal')
    expect(() => requireSettings(memory, [['journal_mode', 'wal']])).toThrow(StorageNotUsable)
    expect(() => requireSettings(memory, [['synchronous', 3]])).toThrow("'synchronous = 3'")
  })

  it('is refused with an SQLite older than 3.51.3', () => {
    for (const version of ['3.51.2', '3.50.9', '2.99.99', '']) expect(() => requireSqlite(version)).toThrow('too old')
    for (const version of ['3.51.3', '3.51.10', '3.54.1', '4.0.0']) requireSqlite(version)
  })
})

describe('the files', () => {
  it("are this user's alone, and so is a folder that was made for them, whatever the umask", async () => {
    for (const mask of [0o000, 0o077]) {
      const before = process.umask(mask)
      onTestFinished(() => {
        process.umask(before)
      })
      const file = path.join(newFolder(), 'new', 'data', 'rollcall.db')
      await migrateSqlite(file)
      const { unitOfWork } = await openStorage(file)
      await unitOfWork.run(({ tombstones }) => tombstones.put('a' as UserId, aTombstone))
      expect(rightsOf(path.dirname(file))).toBe('700')
      for (const suffix of ['', '-wal', '-shm']) expect(rightsOf(`${file}${suffix}`)).toBe('600')
    }
  })

  it('leave the permissions of a folder that was there as they are', async () => {
    const folder = newFolder()
    chmodSync(folder, 0o755)
    await migrateSqlite(path.join(folder, 'rollcall.db'))
    expect(rightsOf(folder)).toBe('755')
  })
})

describe('opening', () => {
  it('refuses a database that is not there, and creates none', async () => {
    const file = path.join(newFolder(), 'rollcall.db')
    expect(await problemOf(openSqliteStorage({ file }))).toBe('older-schema')
    expect(existsSync(file)).toBe(false)
  })

  it('refuses a database without its tables', async () => {
    const file = path.join(newFolder(), 'rollcall.db')
    writeFileSync(file, '')
    expect(await problemOf(openSqliteStorage({ file }))).toBe('older-schema')
  })

  it('refuses what is no database, a folder, and a path through a file', async () => {
    const folder = newFolder()
    const file = path.join(folder, 'rollcall.db')
    writeFileSync(file, 'certainly no database, but long enough to be taken for one'.repeat(40))
    mkdirSync(path.join(folder, 'folder'))
    expect(await problemOf(openSqliteStorage({ file }))).toBe('damaged')
    expect(await problemOf(migrateSqlite(file))).toBe('damaged')
    expect(await problemOf(migrateSqlite(path.join(folder, 'folder')))).toBe('not-accessible')
    expect(await problemOf(migrateSqlite(path.join(file, 'below', 'rollcall.db')))).toBe('not-accessible')
  })

  it('refuses a database that lacks any of its tables, or a column', async () => {
    const file = await newDatabase()
    const names = lookAt(file, (database) =>
      database
        .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        .pluck()
        .all(),
    )
    for (const statement of [
      ...['user_account.name', 'subscription_term.place', 'user_account_term.term', 'erasure.count'].map((column) =>
        column.replace(/(\w+)\.(\w+)/, 'ALTER TABLE $1 RENAME COLUMN $2 TO other'),
      ),
      ...names.filter((name) => name !== MIGRATION_TABLE).map((name) => `DROP TABLE ${name}`),
    ]) {
      const damaged = path.join(newFolder(), 'rollcall.db')
      copyFileSync(file, damaged)
      makeDatabase(damaged, `PRAGMA foreign_keys = 0; ${statement}`)
      const problem = {
        ...{ name: 'StorageNotUsable', problem: 'damaged' },
        message: expect.stringMatching(/is not as this version makes it: .* `rollcall doctor`/),
      }
      await expect(openSqliteStorage({ file: damaged }), statement).rejects.toMatchObject(problem)
      for (const upToDate of [pendingMigrations, migrateSqlite])
        await expect(upToDate(damaged), statement).rejects.toMatchObject(problem)
      const copying = backupSqlite({ file: damaged, to: `${damaged}.backup`, replace: false, files: [] })
      await expect(copying, statement).rejects.toMatchObject(problem)
      expect(await damageOf(damaged).catch(String), statement).toContain(/TABLE (\w+)/.exec(statement)?.[1])
    }
  })

  it('refuses to migrate a file that has a name of ours, and changes nothing', async () => {
    for (const statement of ['CREATE TABLE feed (theirs)', 'CREATE TABLE rollcall_migration (theirs)']) {
      const file = path.join(newFolder(), 'rollcall.db')
      makeDatabase(file, statement)
      const error = await migrateSqlite(file).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ name: 'StorageNotUsable', message: expect.stringMatching(/another application/) })
      expect(lookAt(file, (database) => database.prepare('SELECT name FROM sqlite_schema').all())).toHaveLength(1)
    }
  })

  it('opens the same data by another name', async () => {
    const file = await newDatabase()
    const first = await openStorage(file)
    const second = await openStorage(path.relative(process.cwd(), file))
    await first.unitOfWork.run(({ tombstones }) => tombstones.put('a' as UserId, aTombstone))
    expect(await second.readers.users.accountStatus('a')).toBe('deleted')
  })
})

describe('a storage', () => {
  it('says which migrations are missing', async () => {
    const storage = await openStorage(await newDatabase())
    expect(await storage.migrations.pending()).toEqual([])
  })

  it('finishes the units that have begun when it is closed, and closes once however often it is called', async () => {
    const file = await newDatabase()
    const storage = await openStorage(file)
    const unit = storage.unitOfWork.run(({ tombstones }) => tombstones.put('a' as UserId, aTombstone))
    await Promise.all([storage.close(), storage.close()])
    await unit
    await expect(storage.readers.users.accountStatus('a')).rejects.toBeInstanceOf(Unavailable)
    expect(await (await openStorage(file)).readers.users.accountStatus('a')).toBe('deleted')
  })

  it('releases every lease when their owners are dead', async () => {
    const storage = await openStorage(await newDatabase())
    const mail = { kind: 'confirmation', subscriptionId: 1, messageId: 'm', createdAt: 1, notBefore: 1 } as const
    const claim = (owner: string) =>
      storage.unitOfWork.run(({ outbox }) => outbox.claim({ owner, limit: 1, leaseFor: 60_000 }))
    await storage.unitOfWork.run(({ outbox }) => outbox.add({ ...mail, address: 'a' as never, expiresAt: undefined }))
    await claim('dead')
    expect(await claim('new')).toEqual([])
    await storage.releaseLeases()
    expect(await claim('new')).toMatchObject([{ messageId: 'm', attempts: 2 }])
  })

  it('settles a value once, for every process and for as long as there is the database', async () => {
    const file = await newDatabase()
    const [first, second] = [await openStorage(file), await openStorage(file)]
    expect(await first.recall('fingerprint')).toBeUndefined()
    const settled = await Promise.all([first.settle('fingerprint', 'one'), second.settle('fingerprint', 'two')])
    expect(new Set(settled)).toHaveLength(1)
    await first.close()
    expect(await (await openStorage(file)).settle('fingerprint', 'three')).toBe(settled[0])
    expect(await second.recall('fingerprint')).toBe(settled[0])
  })

  it('keeps the audit trail from being changed or cut, by any statement', async () => {
    const file = await newDatabase()
    const { unitOfWork } = await openStorage(file)
    const record = { at: 1, actor: 'root', roleSource: 'token', tokenId: undefined, channel: 'http' } as const
    const entry = { requestId: undefined, action: 'user.put', target: 'a', outcome: 'done', reason: undefined } as const
    await unitOfWork.run(({ audit }) => audit.append({ ...record, ...entry, count: 1, rolesHash: undefined }))
    lookAt(file, (database) => {
      expect(() => database.exec("UPDATE audit_record SET actor = 'x'")).toThrow('never change')
      expect(() => database.exec('DELETE FROM audit_record')).toThrow('never removed')
      const again = 'INSERT OR REPLACE INTO audit_record SELECT * FROM audit_record'
      expect(() => database.exec(again)).toThrow('there already')
      database.exec('UPDATE audit_record SET sequence = 1')
      for (const sql of [
        'UPDATE audit_record SET sequence = 1',
        'UPDATE audit_record SET sequence = 2',
        'UPDATE audit_record SET sequence = NULL',
        'UPDATE audit_record SET id = 7',
      ])
        expect(() => database.exec(sql)).toThrow('never change')
      const another = `INSERT INTO audit_record (at, actor, role_source, channel, action, outcome, count)
        SELECT at, actor, role_source, channel, action, outcome, count FROM audit_record`
      database.exec(another)
      expect(() => database.exec("UPDATE audit_record SET sequence = 2, actor = 'x' WHERE id = 2")).toThrow(
        'never change',
      )
      expect(() => database.exec('UPDATE OR REPLACE audit_record SET sequence = 1 WHERE id = 2')).toThrow(
        'never change',
      )
      const seal = (first: number, last: number) => `INSERT INTO audit_seal VALUES (${last}, ${first}, 'h', 1, 'm')`
      expect(() => database.exec(seal(2, 2))).toThrow('does not follow')
      database.exec(seal(1, 1))
      expect(() => database.exec(seal(1, 1).replace('INSERT', 'INSERT OR REPLACE'))).toThrow('does not follow')
      expect(() => database.exec('UPDATE audit_seal SET at = 2')).toThrow('never change')
      expect(() => database.exec('DELETE FROM audit_seal')).toThrow('never removed')
    })
  })
})
