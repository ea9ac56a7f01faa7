// Holds the write lock for as many milliseconds as it is told, having written something.
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'

const [, , file = '', milliseconds] = process.argv
const database = new Database(file)
database.exec('BEGIN IMMEDIATE')
database.exec(
  `INSERT INTO tombstone (id, deleted_at, audit, users, roles, subscriptions, mails, subscriptions_kept)
    VALUES ('held', 1, 1, 1, 0, 0, 0, 0)`,
)
console.log('locked')
await sleep(Number(milliseconds))
database.exec('COMMIT')
database.close()
console.log('released')
