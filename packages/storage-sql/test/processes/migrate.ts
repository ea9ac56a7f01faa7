// Migrates and says what it did; on request it kills itself in the middle.
import { openConnection } from '../../src/sqlite/connection.ts'
import { migrateSqlite, pendingMigrations } from '../../src/sqlite/index.ts'
import { runMigrations } from '../../src/sqlite/migrate-sqlite.ts'
import { createPrivately } from '../../src/sqlite/private-file.ts'

const [, , file = '', how] = process.argv
if (how === 'half') {
  const names = await pendingMigrations(file)
  createPrivately(file)
  const database = await openConnection(file)
  // So small a cache that pages go to the log before the transaction is over.
  database.pragma('cache_size = 1')
  database.exec('BEGIN IMMEDIATE')
  runMigrations(database, names)
  console.log('half way')
  process.kill(process.pid, 'SIGKILL')
}
console.log(`applied ${JSON.stringify(await migrateSqlite(file))}`)
