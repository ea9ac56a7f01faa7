import type { UserId } from '@rollcall/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { LogFile } from '../src/sqlite/log-file.ts'
import { newDatabase, openStorage } from './temporary-storage.ts'

const id = 'ada' as UserId
const ada = { id, email: 'a@x', emailKey: 'a@x', name: 'Ada', roles: [], createdAt: 1, updatedAt: 1 }

it('shows what a unit has written once it is on the disk, and lets nobody in who was deleted meanwhile', async () => {
  const { unitOfWork, readers } = await openStorage(await newDatabase())
  await unitOfWork.run(({ users }) => users.put(ada))
  const idle = Promise.withResolvers<void>()
  const syncs = vi.spyOn(LogFile.prototype, 'sync').mockImplementation(() => idle.promise)
  onTestFinished(() => {
    syncs.mockRestore()
    idle.resolve()
  })
  const happened: string[] = []
  const erased = unitOfWork.run(({ users }) => users.erase(id)).then(() => happened.push('answered'))
  // Committed, and on its way to the disk.
  await expect.poll(() => readers.users.accountStatus(id)).toBeUndefined()
  const read = readers.users.find(id).then((user) => happened.push(user === undefined ? 'read' : 'read too early'))
  for (let turn = 0; turn < 20; turn++) await new Promise((go) => setImmediate(go))
  expect(happened).toEqual([])
  idle.resolve()
  await Promise.all([erased, read])
  expect(happened).toEqual(['answered', 'read'])
})
