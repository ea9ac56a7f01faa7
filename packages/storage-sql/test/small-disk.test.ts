import type fs from 'node:fs'
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UserId } from '@rollcall/core'
import { expect, it, vi } from 'vitest'
import { aTombstone } from './a-tombstone.ts'
import { newDatabase, openStorage } from './temporary-storage.ts'

/** Bytes. */
const FREE = 8 * 2 ** 20

// To make a small disk takes the rights of root.
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof fs>()),
  statfsSync: () => ({ bavail: FREE / 4_096, bsize: 4_096 }),
}))

it('leaves the room that the database file will need: the log takes a part of what is free, and is used again', async () => {
  const file = await newDatabase()
  const { unitOfWork } = await openStorage(file)
  const addSome = (round: number) =>
    unitOfWork.run(async ({ tombstones }) => {
      for (let n = 0; n < 20; n++) await tombstones.put(`${n * 7919}-${round}`.padEnd(200, 'x') as UserId, aTombstone)
    })
  let most = 0
  for (let round = 0; round < 400; round++) {
    await addSome(round)
    await sleep(2)
    most = Math.max(most, statSync(`${file}-wal`).size)
  }
  expect(most).toBeGreaterThan(FREE / 4)
  expect(most).toBeLessThan(5 * FREE)
})
