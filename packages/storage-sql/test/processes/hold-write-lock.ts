// Holds the write lock until its standard input ends, having written something.
import { once } from 'node:events'
import { Connection } from '../../src/sqlite/driver.ts'

const [, , file = ''] = process.argv
const database = new Connection(file)
database.exec('BEGIN IMMEDIATE')
database.exec(
  `INSERT INTO identity (id, deleted_at, audit, users, roles, subscriptions, mails, subscriptions_kept, tokens)
    VALUES ('held', 1, 1, 1, 0, 0, 0, 0, 0)`,
)
console.log('locked')
await once(process.stdin.resume(), 'end')
database.exec('COMMIT')
database.close()
console.log('released')
