// Migrates and says what it did; on request it kills itself in the middle.
import { Kysely, SqliteDialect } from 'kysely'
import { SQLITE_MIGRATIONS } from '../../src/migrations/sqlite/index.ts'
import { openConnection } from '../../src/sqlite/connection.ts'
import { forKysely } from '../../src/sqlite/for-kysely.ts'
import { migrateSqlite } from '../../src/sqlite/index.ts'
import { createPrivately } from '../../src/sqlite/private-file.ts'

const [, , file = '', how] = process.argv
if (how === 'half') {
  createPrivately(file)
  const database = await openConnection(file)
  // So small a cache that pages go to the log before the transaction is over.
  database.pragma('cache_size = 1')
  database.exec('BEGIN IMMEDIATE')
  const migration = await SQLITE_MIGRATIONS['0001-initial']?.()
  await migration?.up(new Kysely({ dialect: new SqliteDialect({ database: forKysely(database) }) }))
  console.log('half way')
  process.kill(process.pid, 'SIGKILL')
}
console.log(`applied ${JSON.stringify(await migrateSqlite(file))}`)
