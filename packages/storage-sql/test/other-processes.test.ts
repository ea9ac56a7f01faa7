import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable, type UserId } from '@rollcall/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { aTombstone } from './a-tombstone.ts'
import { startChild } from './child-process.ts'
import { lookAt, newDatabase, openStorage } from './temporary-storage.ts'

const gone = 'gone' as UserId

it('lets the event loop run while another process holds the lock, and the unit succeeds afterwards', async () => {
  const file = await newDatabase()
  const { unitOfWork } = await openStorage(file)
  const other = startChild('hold-write-lock.ts', [file])
  await other.line('locked')
  const unit = unitOfWork.run(async ({ tombstones }) => {
    await tombstones.put(gone, aTombstone)
    return await tombstones.has('held' as UserId)
  })
  // A loop that is held up would not come this far before the unit has given up.
  for (let tick = 0; tick < 20; tick++) await sleep(5)
  other.process.stdin?.end()
  expect(await unit).toBe(true)
  expect(await unitOfWork.run(({ tombstones }) => tombstones.has(gone))).toBe(true)
})

it('is `Unavailable`, having changed nothing, where another process never lets go', async () => {
  const file = await newDatabase()
  const storage = await openStorage(file)
  const other = startChild('hold-write-lock.ts', [file])
  await other.line('locked')
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const refused = expect(
    storage.unitOfWork.run(({ tombstones }) => tombstones.put(gone, aTombstone)),
  ).rejects.toMatchObject({ constructor: Unavailable, cause: { errstr: 'database is locked' } })
  // The next time that it tries, five seconds will be over.
  vi.advanceTimersByTime(5_001)
  await refused
  expect(await storage.readers.users.accountStatus('gone')).toBeUndefined()
  await other.kill('SIGKILL')
  await storage.unitOfWork.run(({ tombstones }) => tombstones.put(gone, aTombstone))
  expect(await storage.readers.users.accountStatus('gone')).toBe('deleted')
  expect(await storage.readers.users.accountStatus('held')).toBeUndefined()
})

it('lets another process write while it is busy itself', async () => {
  const file = await newDatabase()
  const storage = await openStorage(file)
  let over = false
  let n = 0
  const busy = Array.from({ length: 20 }, async () => {
    while (!over) await storage.unitOfWork.run(({ tombstones }) => tombstones.put(`t${n++}` as UserId, aTombstone))
  })
  const other = startChild('write-until-killed.ts', [file, 'other'])
  await other.line('other100')
  over = true
  await Promise.all(busy)
  await other.kill('SIGKILL')
  expect(n).toBeGreaterThan(100)
})

it('keeps whole what was answered and leaves no part of a unit, whenever the process is killed', async () => {
  const file = await newDatabase()
  const answered: string[] = []
  for (const round of ['a', 'b', 'c']) {
    const child = startChild('write-until-killed.ts', [file, round])
    await child.line(`${round}1`)
    await sleep(Math.random() * 150)
    await child.kill('SIGKILL')
    answered.push(...child.lines)
  }
  const storage = await openStorage(file)
  await storage.close()
  lookAt(file, (database) => {
    const ids = (table: string) => database.prepare<[], string>(`SELECT id FROM ${table} ORDER BY id`).pluck().all()
    const stored = new Set(ids('user_account'))
    expect(answered.filter((id) => !stored.has(id))).toEqual([])
    expect(ids('user_account')).toEqual(ids('identity'))
    expect(database.prepare('SELECT count(*) FROM user_role').pluck().get()).toBe(stored.size)
    expect(database.pragma('integrity_check')).toBe('ok')
  })
})

it('is `Unavailable` when the disk is full, and has kept everything that it answered', async () => {
  const file = await newDatabase()
  // A limit on the size of files, in blocks of 512 or 1,024 bytes, fails a write as a full disk does.
  const child = startChild('write-until-killed.ts', [file, 'u'], ['sh', '-c', 'ulimit -f 1500; exec "$@"', 'sh'])
  expect(await child.line('unavailable')).toMatch(/database or disk is full|disk I\/O error/)
  await child.ended
  const answered = child.lines.filter((line) => line.startsWith('u') && !line.startsWith('unavailable'))
  expect(answered.length).toBeGreaterThan(10)
  const { readers } = await openStorage(file)
  for (const id of answered) expect((await readers.users.find(id as UserId))?.id).toBe(id)
})
