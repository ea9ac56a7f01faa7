// Holds the serving lock of the first release until it is killed: only that one, taken as that release did.
import { closeSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'

const lock = `${process.argv[2]}.serving`
closeSync(openSync(lock, 'a', 0o600))
const connection = new Database(lock, { fileMustExist: true, timeout: 0 })
connection.exec('BEGIN EXCLUSIVE')
console.log('serving')
setInterval(() => connection.open, 1_000)
