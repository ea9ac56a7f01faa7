import { copyFileSync } from 'node:fs'
import path from 'node:path'
import type { UserId } from '@rollcall/core'
import { expect, it } from 'vitest'
import { aTombstone } from './a-tombstone.ts'
import { startChild } from './child-process.ts'
import { newDatabase, newFolder, openStorage } from './temporary-storage.ts'

/** A database whose log was left behind, as a crash leaves it. */
const crashed = async (): Promise<string> => {
  const file = await newDatabase()
  const { unitOfWork } = await openStorage(file)
  const id = 'a' as UserId
  const ada = { id, email: 'ada@example.com', emailKey: 'ada@example.com', name: 'Ada', roles: ['admin'] } as const
  await unitOfWork.run(({ users }) => users.put({ ...ada, createdAt: 1, updatedAt: 1 }))
  await unitOfWork.run(async ({ users, tombstones }) => {
    await users.erase(id)
    await tombstones.put(id, aTombstone)
  })
  const copy = path.join(newFolder(), 'rollcall.db')
  for (const suffix of ['', '-wal']) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`)
  return copy
}

it.skipIf(process.platform === 'win32')(
  'is read, opened and closed where nothing more can be written, and the listener is called with the reason why the log stays',
  async () => {
    const file = await crashed()
    // A file that may not grow is what a test has for a full disk; the 80 or 160 KiB are room for SQLite's index,
    // and for the log as it is.
    const child = startChild('read.ts', [file], ['sh', '-c', 'ulimit -f 160; exec "$@"', 'sh'])
    await child.line('closed')
    expect(child.lines).toEqual(['accountStatus deleted', 'erased false', 'leases released', 'closed Error'])
  },
)

it.skipIf(process.platform === 'win32')(
  'is down as long as a unit finds no room, though a smaller one would',
  async () => {
    const file = await newDatabase()
    const child = startChild('fill.ts', [file], ['sh', '-c', 'ulimit -f 4096; exec "$@"', 'sh'])
    await child.line('some')
    expect(child.lines).toEqual(['health Unavailable', 'unit Unavailable', 'some were written'])
  },
)
