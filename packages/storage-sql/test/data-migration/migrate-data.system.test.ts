import { describe, expect, it, onTestFinished } from 'vitest'
import { migrateData } from '../../src/data-migration/migrate-data.ts'
import { MIGRATED_TABLES } from '../../src/data-migration/migrated-tables.ts'
import type { MigrationEnd, MigrationTarget } from '../../src/data-migration/migration-end.ts'
import { openPostgresSource, openPostgresStorage, openPostgresTarget } from '../../src/postgres/index.ts'
import { openSqliteSource, openSqliteStorage, openSqliteTarget } from '../../src/sqlite/index.ts'
import { onceFree, temporaryDatabase } from '../postgres/temporary-storage.ts'
import { lookAt as lookAtServer } from '../postgres-server/databases.ts'
import { lookAt, newFolder } from '../temporary-storage.ts'
import { filledDatabase } from './filled-database.ts'

const ROWS = 300

const opened = async <End extends MigrationEnd>(opening: Promise<End>): Promise<End> => {
  const end = await opening
  onTestFinished(() => end.close())
  return end
}

/** Moves everything and finishes. */
const move = async (source: MigrationEnd, target: MigrationTarget) => {
  const report = await migrateData(source, target)
  expect(report).toMatchObject({ interrupted: false, differences: [] })
  await target.finish()
  await source.close()
  await target.close()
  return report
}

const emptyFile = () => `${newFolder()}/data/rollcall.db`

describe('moving data', () => {
  it('brings every row of every table to PostgreSQL and back, the same in every column', async () => {
    const file = await filledDatabase(ROWS)
    const url = await temporaryDatabase({ empty: true })
    const there = await move(
      await opened(openSqliteSource(file)),
      await opened(onceFree(() => openPostgresTarget(url))),
    )
    expect(there.tables).toEqual(MIGRATED_TABLES.map(({ name }) => ({ table: name, rows: ROWS })))
    const back = emptyFile()
    await move(await opened(onceFree(() => openPostgresSource(url))), await opened(openSqliteTarget(back)))
    for (const { name } of MIGRATED_TABLES) {
      const all = (one: string) =>
        lookAt(one, (database) => database.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`).all())
      expect(all(back)).toEqual(all(file))
    }
  })

  it('makes the schema that the address of a new database names', async () => {
    const url = `${await temporaryDatabase({ empty: true })}?schema=ours`
    await move(
      await opened(openSqliteSource(await filledDatabase(3))),
      await opened(onceFree(() => openPostgresTarget(url))),
    )
    const schemas = await lookAtServer(
      url.replace(/\?.*/, ''),
      async (client) =>
        (await client.query("SELECT schemaname AS name FROM pg_tables WHERE tablename = 'outbox'")).rows,
    )
    expect(schemas).toEqual([{ name: 'ours' }])
  })

  it('gives no number again that was ever given out, not even those of rows that are gone', async () => {
    const file = await filledDatabase(3)
    const url = await temporaryDatabase()
    await move(await opened(openSqliteSource(file)), await opened(onceFree(() => openPostgresTarget(url))))
    const next = await lookAtServer(url, async (client) => (await client.query("SELECT nextval('outbox_id_seq')")).rows)
    expect(next).toEqual([{ nextval: '1004' }])
    const back = emptyFile()
    await move(await opened(onceFree(() => openPostgresSource(url))), await opened(openSqliteTarget(back)))
    const counters = (one: string) =>
      lookAt(one, (database) => database.prepare('SELECT name, seq FROM sqlite_sequence ORDER BY name').all())
    const given = counters(file) as { name: string; seq: number }[]
    expect(counters(back)).toEqual(given.map((row) => (row.name === 'outbox' ? { name: 'outbox', seq: 1004 } : row)))
  })

  it('goes on where it was, and leaves the target closed to everybody until then', async () => {
    const file = await filledDatabase(ROWS)
    const url = await temporaryDatabase()
    const source = await opened(openSqliteSource(file))
    const first = await opened(onceFree(() => openPostgresTarget(url)))
    let rows = 0
    const stop = { aborted: false }
    const stopped = await migrateData(source, first, {
      stop,
      onProgress: (progress) => {
        rows = progress.rows
        stop.aborted = rows > ROWS * 4
      },
    })
    expect(stopped).toMatchObject({ interrupted: true, resumed: false, copied: rows })
    await first.close()
    await expect(onceFree(() => openPostgresStorage({ url }))).rejects.toThrow(/migrate-data` again/)
    const second = await opened(onceFree(() => openPostgresTarget(url)))
    const report = await migrateData(source, second)
    expect(report).toMatchObject({ interrupted: false, resumed: true, differences: [] })
    expect(report.copied).toBe(ROWS * MIGRATED_TABLES.length - rows)
    await second.finish()
    await second.close()
    await (await onceFree(() => openPostgresStorage({ url }))).close()
  })

  it('leaves a file that is half of it closed to everybody, too', async () => {
    const source = await opened(openSqliteSource(await filledDatabase(3)))
    const file = emptyFile()
    const target = await opened(openSqliteTarget(file))
    await migrateData(source, target, { stop: { aborted: true } })
    await target.close()
    await expect(openSqliteStorage({ file })).rejects.toThrow(/migrate-data` again/)
    const again = await opened(openSqliteTarget(file))
    expect(await migrateData(source, again)).toMatchObject({ resumed: true, differences: [] })
    await again.finish()
    await again.close()
    await (await openSqliteStorage({ file })).close()
  })

  it('names what is not the same by table and key', async () => {
    const source = await opened(openSqliteSource(await filledDatabase(ROWS)))
    const url = await temporaryDatabase()
    const target = await opened(onceFree(() => openPostgresTarget(url)))
    await migrateData(source, target)
    await lookAtServer(url, (client) =>
      client.query(`DELETE FROM mail_cap WHERE last_at = 70;
        UPDATE subscription SET name = 'somebody else' WHERE seq = 17;
        INSERT INTO kept_number (feed, day, what, count) VALUES ('zzz', 1, 'mailed', 1)`),
    )
    const { differences } = await migrateData(source, target)
    expect(differences).toEqual([
      { table: 'subscription', key: [17], kind: 'column', column: 'name' },
      { table: 'kept_number', key: ['zzz', 1, 'mailed'], kind: 'surplus' },
      { table: 'mail_cap', key: [expect.stringMatching(/10$/)], kind: 'missing' },
    ])
  })

  it('refuses a target with something in it', async () => {
    const source = await opened(openSqliteSource(await filledDatabase(2)))
    const url = await temporaryDatabase()
    await lookAtServer(url, (client) =>
      client.query("INSERT INTO identity SELECT 'u-1', 1, 1, 1, NULL, 1, 1, 1, 1, 1, 1"),
    )
    const target = await opened(onceFree(() => openPostgresTarget(url)))
    await expect(migrateData(source, target)).rejects.toThrow(/is not empty \(identity\)/)
  })

  it('refuses to go on with a source that has changed meanwhile, or with another one', async () => {
    const file = await filledDatabase(2)
    const url = await temporaryDatabase()
    const source = await opened(openSqliteSource(file))
    const target = await opened(onceFree(() => openPostgresTarget(url)))
    await migrateData(source, target, { stop: { aborted: true } })
    await source.close()
    lookAt(file, (database) => database.exec('DELETE FROM mail_cap'))
    await expect(migrateData(await opened(openSqliteSource(file)), target)).rejects.toThrow(/has changed since/)
    const other = await opened(openSqliteSource(await filledDatabase(2)))
    await expect(migrateData(other, target)).rejects.toThrow(/a move from .* was begun/)
  })

  it('refuses a text that PostgreSQL cannot keep, by table and key', async () => {
    const file = await filledDatabase(2)
    lookAt(file, (database) => database.exec("UPDATE identity SET id = 'a' || char(0) || 'b' WHERE audit = 14"))
    const source = await opened(openSqliteSource(file))
    const target = await opened(openPostgresTarget(await temporaryDatabase()))
    await expect(migrateData(source, target)).rejects.toThrow(/A text in identity/)
  })
})

describe('a source', () => {
  it('is not served and not written to as long as it is moved, and is free again after', async () => {
    const file = await filledDatabase(2)
    const storage = await openSqliteStorage({ file })
    const source = await opened(openSqliteSource(file))
    await expect(openSqliteSource(file)).rejects.toThrow(/Another server works/)
    lookAt(file, (database) => {
      database.pragma('busy_timeout = 0')
      expect(() => database.exec('BEGIN IMMEDIATE')).toThrow(/locked/)
    })
    await source.close()
    await storage.settle('free', 'again')
    await storage.close()
  })

  it('on PostgreSQL is refused while anybody works with it, and keeps everybody away while it is moved', async () => {
    const url = await temporaryDatabase()
    const storage = await openPostgresStorage({ url })
    await expect(openPostgresSource(url)).rejects.toThrow(/Somebody works with the database/)
    await storage.close()
    const source = await opened(onceFree(() => openPostgresSource(url)))
    await expect(openPostgresStorage({ url })).rejects.toThrow(/is being moved/)
    await expect(openPostgresTarget(url)).rejects.toThrow(/Somebody works with the database/)
    await source.close()
    await (await onceFree(() => openPostgresStorage({ url }))).close()
  })
})
