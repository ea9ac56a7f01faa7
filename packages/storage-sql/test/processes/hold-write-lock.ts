// Holds the write lock for as many milliseconds as it is told, having written something.
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'

const [, , file = '', milliseconds] = process.argv
const database = new Database(file)
database.exec('BEGIN IMMEDIATE')
database.prepare('INSERT INTO tombstone (id, deleted_at) VALUES (?, ?)').run('held', 1)
console.log('locked')
await sleep(Number(milliseconds))
database.exec('COMMIT')
database.close()
console.log('released')
