import fs, { copyFileSync, readFileSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import type { UserId } from '@rollcall/core'
import { afterEach, expect, it, vi } from 'vitest'
import { lockForServing, migrateSqlite, NotSynced, openSqliteStorage } from '../src/sqlite/index.ts'
import { aTombstone } from './a-tombstone.ts'
import { startChild } from './child-process.ts'
import { lookAt, newDatabase, newFolder, openStorage } from './temporary-storage.ts'

const logOf = (file: string): string => `${file}-wal`
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** A database whose log another process has left; so long that it is not read in one piece. */
const left = async (): Promise<string> => {
  const file = await newDatabase()
  const { unitOfWork } = await openStorage(file)
  for (let round = 0; round < 30; round++)
    await unitOfWork.run(async ({ tombstones }) => {
      for (let n = 0; n < 40; n++)
        await tombstones.put(`${round}-${n}-${(n * 7919) % 97}`.padEnd(900, 'x') as UserId, aTombstone)
    })
  const copy = path.join(newFolder(), 'rollcall.db')
  copyFileSync(file, copy)
  copyFileSync(logOf(file), logOf(copy))
  expect(sizeOf(logOf(copy))).toBeGreaterThan(2 ** 20)
  return copy
}

/** What is written to a file by a call of this process, in order, up to the sync. */
const watchWrites = () => {
  const written: Buffer[] = []
  const write = fs.writeSync
  vi.spyOn(fs, 'writeSync').mockImplementation(((fd: number, ...rest: [Buffer, number, number, number]) => {
    const [bytes, from, length] = rest
    written.push(Buffer.from(bytes.subarray(from, from + length)))
    return write(fd, ...rest)
  }) as typeof fs.writeSync)
  const sync = vi.spyOn(fs, 'fdatasyncSync')
  syncBuiltinESMExports()
  return { bytes: () => Buffer.concat(written), sync }
}

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

it.each([
  ['begins to serve', async (file: string) => (await lockForServing(file)).release()],
  ['opens the storage', async (file: string) => void (await openStorage(file))],
  ['migrates', async (file: string) => void (await migrateSqlite(file))],
])('is written once more as it is, and synced, before SQLite changes the file: by who %s', async (_what, open) => {
  const file = await left()
  const log = readFileSync(logOf(file))
  const { bytes, sync } = watchWrites()
  await open(file)
  expect(bytes().equals(log)).toBe(true)
  expect(sync).toHaveBeenCalledOnce()
  expect(lookAt(file, (database) => database.prepare('SELECT count(*) FROM identity').pluck().get())).toBe(1_200)
  expect(lookAt(file, (database) => database.pragma('integrity_check'))).toBe('ok')
})

it('is left to the server that works on the database, and to none where there is no log', async () => {
  const file = await left()
  const server = startChild('serve.ts', [file])
  await server.line('serving')
  copyFileSync(logOf(await left()), logOf(file))
  const { sync } = watchWrites()
  await migrateSqlite(file)
  await openStorage(await newDatabase())
  expect(sync).not.toHaveBeenCalled()
})

it('waits for a process that writes, and lets others read', async () => {
  const file = await newDatabase()
  const reading = await openStorage(file)
  await reading.unitOfWork.run(({ tombstones }) => tombstones.put('gone' as UserId, aTombstone))
  const other = startChild('hold-write-lock.ts', [file])
  await other.line('locked')
  const { sync } = watchWrites()
  const locking = lockForServing(file)
  expect(await reading.readers.users.accountStatus('gone')).toBe('deleted')
  expect(sync).not.toHaveBeenCalled()
  other.process.stdin?.end()
  ;(await locking).release()
  expect(sync).toHaveBeenCalledOnce()
})

it('is reason enough not to begin, where the disk refuses it; nothing of the file is changed', async () => {
  const file = await left()
  const before = readFileSync(file)
  vi.spyOn(fs, 'fdatasyncSync').mockImplementation(() => {
    throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO', syscall: 'fdatasync' })
  })
  syncBuiltinESMExports()
  await expect(lockForServing(file)).rejects.toBeInstanceOf(NotSynced)
  await expect(openSqliteStorage({ file })).rejects.toMatchObject({ problem: 'not-synced' })
  expect(readFileSync(file).equals(before)).toBe(true)
})

it('does not keep a damaged file from being replaced', async () => {
  const file = await left()
  fs.writeFileSync(file, 'no database'.repeat(1_000))
  const lock = await lockForServing(file)
  lock.release()
})
