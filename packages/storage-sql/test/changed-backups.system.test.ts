import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  backupSqlite,
  examineSqlite,
  NOTHING_WITHDRAWN,
  openSqliteSource,
  openSqliteTarget,
  restoreSqlite,
  verifyBackup,
} from '../src/sqlite/index.ts'
import { filledDatabase } from './data-migration/filled-database.ts'
import { lookAt, newDatabase, newFolder } from './temporary-storage.ts'

const change = (file: string, sql: string) => lookAt(file, (database) => database.exec(sql))

/** A backup, with the place for a database to restore it to. */
const backedUp = async (sql = '') => {
  const file = await filledDatabase(20)
  change(file, `DELETE FROM identity; DELETE FROM held_user; ${sql}`)
  const [backup, to] = [path.join(newFolder(), 'backup.db'), path.join(newFolder(), 'rollcall.db')]
  await backupSqlite({ file, to: backup, replace: false, files: [{ name: 'secret', content: 'a secret' }] })
  return { backup, to }
}

const WITHOUT_DIGEST = 'DROP TABLE IF EXISTS backup_digest;'

const restored = async (backup: string, to: string, own: readonly string[] = []) => {
  const restore = await restoreSqlite({ file: to, backup, withdrawals: () => NOTHING_WITHDRAWN, own })
  await restore.complete()
  return restore
}

const PLANTED: [string, string][] = [
  [
    'a trigger that makes administrators',
    `CREATE TRIGGER planted AFTER INSERT ON user_account
      BEGIN INSERT INTO user_role VALUES ('admin', NEW.seq); END`,
  ],
  [
    'a trigger on a table of its own',
    'CREATE TABLE odd (a); CREATE TRIGGER planted AFTER INSERT ON odd BEGIN SELECT 1; END',
  ],
  ['a view', 'CREATE VIEW planted AS SELECT 1'],
  [
    'a view in place of a table',
    'DROP TABLE mail_cap; CREATE VIEW mail_cap AS SELECT 1 AS address, 2 AS last_at, 3 AS slots',
  ],
  ['a table', 'CREATE TABLE planted (a)'],
  ['an index', 'CREATE UNIQUE INDEX planted ON outbox (kind, id)'],
  ['a column', "ALTER TABLE user_account ADD COLUMN planted TEXT NOT NULL DEFAULT 'x'"],
  [
    'another default',
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'attempts INTEGER NOT NULL DEFAULT 0', 'attempts INTEGER NOT NULL DEFAULT 9') WHERE name = 'outbox'",
  ],
  ['no trigger that keeps the trail', 'DROP TRIGGER audit_record_kept'],
  ['no index', 'DROP INDEX outbox_due'],
  ['a virtual table', 'CREATE VIRTUAL TABLE planted USING fts5(a)'],
  ['a computed column', 'ALTER TABLE outbox ADD COLUMN planted TEXT AS (address) VIRTUAL'],
  ['no table of suppressions', 'DROP TABLE suppression'],
  ['no table of tombstones', 'PRAGMA foreign_keys = OFF; DROP TABLE identity'],
]

describe('the schema of a backup', () => {
  it.each(PLANTED)('with %s is refused, and nothing is restored', async (_, sql) => {
    const { backup, to } = await backedUp()
    const doctored = path.join(newFolder(), 'doctored.db')
    writeFileSync(doctored, readFileSync(backup))
    const database = new DatabaseSync(doctored, { defensive: false })
    database.exec(`${WITHOUT_DIGEST} ${sql}`)
    database.close()
    await expect(restored(doctored, to)).rejects.toThrow(
      /^The schema of the backup \S+ is not that of its version: the/,
    )
    await expect(verifyBackup({ file: doctored })).rejects.toThrow(/is not that of its version/)
    expect(existsSync(to)).toBe(false)
  })

  it('without the table of the trail is that of no backup', async () => {
    const { backup, to } = await backedUp()
    change(backup, `${WITHOUT_DIGEST} DROP TABLE audit_record`)
    await expect(restored(backup, to)).rejects.toThrow('is no backup of this service')
    expect(existsSync(to)).toBe(false)
  })

  it('may have what the host names as its own, but nothing on a table of the service', async () => {
    const planted = 'CREATE TRIGGER planted AFTER INSERT ON user_account BEGIN DELETE FROM suppression; END'
    await expect(backedUp(planted)).rejects.toThrow(
      'the trigger "planted" on "user_account" does not belong there, and a backup of it could not be restored',
    )
    const { backup, to } = await backedUp(
      `CREATE TABLE account (id INTEGER PRIMARY KEY, name TEXT UNIQUE); CREATE INDEX account_name ON account (name);
      CREATE TRIGGER account_kept BEFORE DELETE ON account BEGIN SELECT RAISE(ABORT, 'kept'); END`,
    )
    change(backup, `${WITHOUT_DIGEST} ${planted}`)
    await expect(restored(backup, to)).rejects.toThrow('the table "account" does not belong there')
    await expect(restored(backup, to, ['account'])).rejects.toThrow('the trigger "account_kept" on "account"')
    const own = ['account', 'account_kept', 'planted']
    await expect(restored(backup, to, own)).rejects.toThrow('the trigger "planted" on "user_account"')
    change(backup, 'DROP TRIGGER planted')
    await restored(backup, to, own)
    expect(lookAt(to, (database) => database.prepare('SELECT count(*) FROM account').pluck().get())).toBe(0)
  })
})

it('a backup that the system does not let be read is told so', async () => {
  // A plain file that nobody reads, not even root.
  await expect(verifyBackup({ file: '/proc/self/clear_refs' })).rejects.toMatchObject({
    ...{ name: 'StorageNotUsable', problem: 'not-accessible' },
    message: expect.stringMatching(/^The backup \S+ cannot be read\./),
  })
})

describe('the digest of a backup', () => {
  it('holds for the file as it was written, wherever it is copied', async () => {
    const { backup, to } = await backedUp()
    const copy = path.join(newFolder(), 'copy.db')
    writeFileSync(copy, readFileSync(backup))
    expect(await verifyBackup({ file: copy })).toMatchObject({ digest: 'same', subscriptions: 20, files: ['secret'] })
    expect(readFileSync(copy).equals(readFileSync(backup))).toBe(true)
    expect(await restored(copy, to)).toMatchObject({ digest: 'same' })
    const left = "SELECT name FROM sqlite_schema WHERE name LIKE 'backup%'"
    expect(lookAt(to, (database) => database.prepare(left).all())).toEqual([])
  })

  it('finds a bit that was flipped in a row', async () => {
    const { backup, to } = await backedUp("UPDATE user_account SET name = 'Ada Lovelace' WHERE seq = 1")
    const bytes = readFileSync(backup)
    // One bit from an 'a'.
    bytes.write('c', bytes.indexOf('Ada Lovelace') + 2)
    writeFileSync(backup, bytes)
    const message = /^The backup \S+ is damaged \(it does not match its digest/
    await expect(restored(backup, to)).rejects.toThrow(message)
    await expect(verifyBackup({ file: backup })).rejects.toThrow(message)
    expect(existsSync(to)).toBe(false)
  })

  it('finds one flipped bit anywhere in the file, and what was cut off or added', async () => {
    const { backup } = await backedUp()
    const whole = readFileSync(backup)
    const changed = path.join(newFolder(), 'changed.db')
    const isFound = async (bytes: Buffer): Promise<boolean> => {
      writeFileSync(changed, bytes)
      return await verifyBackup({ file: changed }).then(
        () => false,
        () => true,
      )
    }
    const missed: number[] = []
    const digest = whole.indexOf('sha256')
    const places = Array.from({ length: 300 }, (_, n) => Math.floor((n * whole.length) / 300) + (n % 64))
    for (const place of [...places, digest, digest + 6, digest + 69]) {
      const flipped = Buffer.from(whole)
      flipped[place] = (flipped[place] ?? 0) ^ (1 << (place % 8))
      if (!(await isFound(flipped))) missed.push(place)
    }
    expect(missed).toEqual([])
    expect(await isFound(Buffer.concat([whole, Buffer.from('x')]))).toBe(true)
    expect(await isFound(whole.subarray(0, -1))).toBe(true)
  })

  it('is not looked for in a database, which would be opened for it', async () => {
    const file = await newDatabase()
    lookAt(file, (database) => database.pragma('journal_mode = WAL'))
    await expect(verifyBackup({ file })).rejects.toThrow(/is a database, and no file that `rollcall backup` made/)
    await expect(verifyBackup({ file: '/nowhere' })).rejects.toThrow(/There is no backup/)
  })

  it('is written anew where an older release left the table of one in the database', async () => {
    const { backup, to } = await backedUp('CREATE TABLE backup_digest (a)')
    expect(await restored(backup, to)).toMatchObject({ digest: 'same' })
  })
})

describe('a database in use, or that data is moved from or to', () => {
  const TRIGGER = 'CREATE TRIGGER planted AFTER INSERT ON user_account BEGIN DELETE FROM suppression; END'

  it('is found damaged with a trigger on a table of the service', async () => {
    const file = await newDatabase()
    change(file, TRIGGER)
    const examination = await examineSqlite(file)
    onTestFinished(() => examination.close())
    expect(await examination.damage()).toEqual(['the trigger "planted" on "user_account" does not belong there'])
  })

  it.each([
    ['from', openSqliteSource],
    ['to', openSqliteTarget],
  ])('%s is refused with a trigger on a table of the service, and not with tables of its own', async (_, open) => {
    const file = await newDatabase()
    change(file, 'CREATE TABLE account (id INTEGER); CREATE TRIGGER own AFTER INSERT ON account BEGIN SELECT 1; END')
    await (await open(file)).close()
    change(file, TRIGGER)
    await expect(open(file)).rejects.toThrow(/is not that of its version: the trigger "planted" on "user_account"/)
  })
})
