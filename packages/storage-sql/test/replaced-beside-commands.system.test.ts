import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { backupSqlite, NOTHING_WITHDRAWN, restoreSqlite } from '../src/sqlite/index.ts'
import { startChild } from './child-process.ts'
import { lookAt, newDatabase, newFolder } from './temporary-storage.ts'

const ROUNDS = 8
/** Temporary files are in memory where they can be, and the packages are not. */
const folderIn = (place: string): string => {
  mkdirSync(place, { recursive: true })
  const folder = mkdtempSync(path.join(place, 'rollcall-kept-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const rowsOf = (file: string): Set<string> =>
  lookAt(file, (database) => {
    expect(database.pragma('integrity_check')).toBe('ok')
    return new Set(database.prepare<[], string>('SELECT id FROM probe').pluck().all())
  })

it.each([
  ['the same disk', tmpdir()],
  ['another disk', path.resolve('node_modules/.cache')],
])('loses nothing that a command writes while the database is replaced and kept on %s', async (_, place) => {
  const file = await newDatabase()
  const backup = path.join(newFolder(), 'backup')
  lookAt(file, (database) => {
    database.exec('CREATE TABLE probe (id TEXT PRIMARY KEY, filling BLOB)')
    // To copy it takes a while.
    for (let n = 0; n < 64; n++) database.prepare('INSERT INTO probe VALUES (?, zeroblob(500000))').run(`before ${n}`)
  })
  await backupSqlite({ file, to: backup, replace: false, files: [] })
  const places = folderIn(place)
  const command = startChild('write-once-free.ts', [file])
  let replaced = 0
  for (let round = 0; round < ROUNDS; round++) {
    const id = `round ${round}`
    const keep = path.join(places, `${round}`)
    const restore = await restoreSqlite({ file, backup, withdrawals: () => NOTHING_WITHDRAWN, keep, own: ['probe'] })
    command.process.stdin?.write(`${id}\n`)
    await command.line(`begins ${id}`)
    try {
      await restore.complete()
      replaced++
    } catch (error) {
      expect(error).toMatchObject({ name: 'StorageNotUsable', problem: 'busy' })
      restore.discard()
    }
    await command.line(`wrote ${id}`)
    expect([...rowsOf(file)]).toContain(id)
    if (existsSync(keep)) rowsOf(keep)
  }
  expect(replaced).toBeGreaterThan(0)
  expect(readdirSync(places)).toHaveLength(replaced)
})
