// Holds the serving lock of the first release until it is killed: only that one, taken as that release did.
import { closeSync, openSync } from 'node:fs'
import { Connection } from '../../src/sqlite/driver.ts'

const lock = `${process.argv[2]}.serving`
closeSync(openSync(lock, 'a', 0o600))
const connection = new Connection(lock, { timeout: 0 })
connection.exec('BEGIN EXCLUSIVE')
console.log('serving')
setInterval(() => connection.open, 1_000)
