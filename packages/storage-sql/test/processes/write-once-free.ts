// For each line of its input writes one row, as commands do that open the database for that and wait for the lock; says
// when it begins, and how it went.
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '../../src/sqlite/driver.ts'
import { isBusy } from '../../src/sqlite/sqlite-error.ts'

const [, , file = ''] = process.argv
const written = (id: string): boolean => {
  const database = new Connection(file, { timeout: 0 })
  try {
    database.exec('PRAGMA journal_mode = WAL')
    database.prepare('INSERT INTO probe (id) VALUES (?)').run(id)
    return true
  } catch (error) {
    if (isBusy(error) || /readonly/.test(String(error))) return false
    throw error
  } finally {
    database.close()
  }
}
for await (const id of createInterface({ input: process.stdin })) {
  console.log(`begins ${id}`)
  while (!written(id)) await sleep(1)
  console.log(`wrote ${id}`)
}
