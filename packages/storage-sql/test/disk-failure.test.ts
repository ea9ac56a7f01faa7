import { readFileSync } from 'node:fs'
import type { UserId } from '@rollcall/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { DatabaseFile } from '../src/sqlite/database-file.ts'
import { NotSynced, openSqliteStorage } from '../src/sqlite/index.ts'
import { LogFile } from '../src/sqlite/log-file.ts'
import { aTombstone } from './a-tombstone.ts'
import { startChild } from './child-process.ts'
import { newDatabase, openStorage } from './temporary-storage.ts'

const [before, after] = ['before', 'after'] as UserId[]

const opened = async () => {
  const file = await newDatabase()
  const onDiskFailure = vi.fn()
  const storage = await openSqliteStorage({ file, onDiskFailure })
  const put = (id = after) => storage.unitOfWork.run(({ tombstones }) => tombstones.put(id as UserId, aTombstone))
  await put(before)
  return { file, storage, onDiskFailure, put }
}

const failing = (prototype: { sync(): Promise<void> }) => {
  const sync = vi.spyOn(prototype, 'sync').mockImplementation(async () => {
    throw new NotSynced('rollcall.db')
  })
  onTestFinished(() => sync.mockRestore())
  return sync
}

it('shows and answers nothing any more once a sync has failed, and the next process has all that was answered', async () => {
  const { file, storage, onDiskFailure, put } = await opened()
  const sync = failing(LogFile.prototype)
  const refused = { name: 'Unavailable', cause: expect.any(NotSynced) }
  await expect(put()).rejects.toMatchObject(refused)
  expect(onDiskFailure.mock.calls).toEqual([[expect.any(NotSynced)]])
  await expect(storage.readers.tombstones.find(after as UserId)).rejects.toMatchObject(refused)
  await expect(storage.readers.outbox.health()).rejects.toMatchObject(refused)
  await expect(storage.truncateLog()).rejects.toMatchObject(refused)
  const [database, log] = ['', '-wal'].map((ending) => readFileSync(`${file}${ending}`))
  await storage.close()
  // Not even closing changes the file on the strength of a log that may not be on the disk.
  expect(['', '-wal'].map((ending) => readFileSync(`${file}${ending}`))).toEqual([database, log])
  sync.mockRestore()
  const next = await openStorage(file)
  expect(await next.readers.tombstones.find(before as UserId)).toBeDefined()
  await next.unitOfWork.run(({ tombstones }) => tombstones.put('later' as UserId, aTombstone))
})

it('does the same where the database file was not brought to the disk, before the log that has it is cut', async () => {
  const { file, storage, onDiskFailure, put } = await opened()
  failing(DatabaseFile.prototype)
  const addMany = () =>
    storage.unitOfWork.run(async ({ tombstones }) => {
      for (let n = 0; n < 2_000; n++) await tombstones.put(`${n * 7919}`.padEnd(300, 'x') as UserId, aTombstone)
    })
  await addMany()
  const gone = { id: 'gone' as UserId, email: 'a@x', emailKey: 'a@x', name: '', roles: [], createdAt: 1, updatedAt: 1 }
  await storage.unitOfWork.run(({ users }) => users.put(gone))
  await storage.unitOfWork.run(({ users }) => users.erase(gone.id))
  expect(await storage.completeErasure()).toBe(false)
  expect(onDiskFailure).toHaveBeenCalledOnce()
  await expect(put()).rejects.toMatchObject({ name: 'Unavailable', cause: expect.any(NotSynced) })
  const log = readFileSync(`${file}-wal`)
  await storage.close()
  expect(readFileSync(`${file}-wal`).equals(log)).toBe(true)
})

it('ends the process of who does not say what is to be done', async () => {
  const child = startChild('fail-to-sync.ts', [await newDatabase()])
  await child.ended
  expect([child.process.exitCode, child.lines]).toEqual([1, ['asked']])
})
