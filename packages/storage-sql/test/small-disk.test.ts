import fs, { readFileSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UserId } from '@rollcall/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { aTombstone } from './a-tombstone.ts'
import { newDatabase, openStorage } from './temporary-storage.ts'

/** Bytes. */
const FREE = 8 * 2 ** 20
const LONG_LOG = 48 * 2 ** 20

/** To make a real one takes the rights of root. */
const pretendToHaveASmallDisk = (): void => {
  const pretended = vi.spyOn(fs, 'statfsSync').mockReturnValue({ bavail: FREE / 4_096, bsize: 4_096 } as fs.StatsFs)
  syncBuiltinESMExports()
  onTestFinished(() => {
    pretended.mockRestore()
    syncBuiltinESMExports()
  })
}

it('has a log that is used again before it is long, so that the database finds room', async () => {
  pretendToHaveASmallDisk()
  const file = await newDatabase()
  const { unitOfWork } = await openStorage(file)
  const addSome = (round: number) =>
    unitOfWork.run(async ({ tombstones }) => {
      for (let n = 0; n < 20; n++) await tombstones.put(`${n * 7919}-${round}`.padEnd(200, 'x') as UserId, aTombstone)
    })
  // Raised whenever the log is written from its beginning again. @see https://sqlite.org/walformat.html
  const generation = (): number => readFileSync(`${file}-wal`).readUInt32BE(12)
  await addSome(0)
  const before = generation()
  for (let round = 1; generation() === before; round++) {
    expect(statSync(`${file}-wal`).size).toBeLessThan(LONG_LOG)
    await addSome(round)
    // The thread that makes checkpoints has to start.
    await sleep(20)
  }
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(FREE / 4)
})
