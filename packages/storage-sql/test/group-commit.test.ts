import { AsyncLocalStorage } from 'node:async_hooks'
import { Unavailable, type UserId } from '@rollcall/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Connection } from '../src/sqlite/driver.ts'
import { type CommitMode, GroupCommit } from '../src/sqlite/group-commit.ts'
import { Writer } from '../src/sqlite/writer.ts'
import { aTombstone } from './a-tombstone.ts'
import { newDatabase, openStorage } from './temporary-storage.ts'

const ENTRIES = 'CREATE TABLE entry (n INTEGER PRIMARY KEY)'
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

const counted = (schema = ENTRIES, mode?: CommitMode) => {
  const connection = Connection.inMemory()
  onTestFinished(() => {
    connection.close()
  })
  connection.pragma('foreign_keys = ON')
  connection.exec(schema)
  const writer = new Writer(connection)
  const insert = connection.prepare('INSERT INTO entry (n) VALUES (?)')
  const commits: number[] = []
  const stores = { add: (n: number) => writer.write(insert, n) }
  const group = new GroupCommit(
    writer,
    () => stores,
    () => commits.push(performance.now()),
    mode,
  )
  const entries = () => connection.prepare<[], number>('SELECT n FROM entry ORDER BY n').pluck().all()
  return { group, commits, entries }
}

/** However long the machine takes over it, no unit has kept the lock for too long. */
const stopTheClock = (): void => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

it('commits once for units that arrive together', async () => {
  stopTheClock()
  const { group, commits, entries } = counted()
  await Promise.all(upTo(50).map((n) => group.run(async ({ add }) => add(n))))
  expect(commits).toHaveLength(1)
  expect(entries()).toEqual(upTo(50))
})

it('has a unit that arrives during a commit wait for the next, not for a timer', async () => {
  const { group, commits } = counted()
  const second = group.run(async () => 'first').then(() => group.run(async () => 'second'))
  expect(await second).toBe('second')
  expect(commits).toHaveLength(2)
})

it('undoes a unit that throws after it wrote, wherever it stands, and keeps the others', async () => {
  stopTheClock()
  const { group, commits, entries } = counted()
  const broken = [1, 7, 8, 20]
  const all = upTo(20).map((n) =>
    group.run(async ({ add }) => {
      add(n)
      await undefined
      if (broken.includes(n)) throw new Error(`unit ${n}`)
      add(100 + n)
    }),
  )
  const failed = (await Promise.allSettled(all)).flatMap(({ status }, index) =>
    status === 'rejected' ? [index + 1] : [],
  )
  expect(failed).toEqual(broken)
  const kept = upTo(20).filter((n) => !broken.includes(n))
  expect(entries()).toEqual([...kept, ...kept.map((n) => 100 + n)])
  expect(commits).toHaveLength(1)
})

it('goes on where a unit catches what its store refused', async () => {
  const { group, entries } = counted()
  await group.run(async ({ add }) => {
    add(1)
    expect(() => add(1)).toThrow('UNIQUE')
    add(2)
  })
  expect(entries()).toEqual([1, 2])
})

it('fails every unit of a commit that fails, with `Unavailable`, and goes on', async () => {
  stopTheClock()
  const { group, entries } = counted(`
    CREATE TABLE parent (n INTEGER PRIMARY KEY);
    CREATE TABLE entry (n INTEGER PRIMARY KEY REFERENCES parent (n) DEFERRABLE INITIALLY DEFERRED);
    INSERT INTO parent VALUES (1);`)
  const outcomes = await Promise.allSettled([1, 2, 3].map((n) => group.run(async ({ add }) => add(n))))
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ reason: { name: 'Unavailable', cause: { errstr: 'constraint failed' } } })
  expect(entries()).toEqual([])
  await group.run(async ({ add }) => add(1))
  expect(entries()).toEqual([1])
})

it('lets go of the lock after a few milliseconds, however many units wait', async () => {
  const { group, commits } = counted()
  const busy = (milliseconds: number): void => {
    for (const end = performance.now() + milliseconds; performance.now() < end; );
  }
  await Promise.all(upTo(30).map(() => group.run(async () => busy(3))))
  // 90 ms of work; no more than 8 ms and one unit of it at a time.
  expect(commits.length).toBeGreaterThanOrEqual(90 / 11 - 1)
})

it('runs a task between two transactions, never inside one', async () => {
  const { group, commits } = counted()
  const units = upTo(10).map(() => group.run(async () => undefined))
  const commitsBefore = await group.between(() => commits.length)
  await Promise.all(units)
  expect([0, 1]).toContain(commitsBefore)
  await expect(
    group.between(() => {
      throw new Error('a task')
    }),
  ).rejects.toThrow('a task')
  expect(await group.run(async () => 'still here')).toBe('still here')
})

it('refuses a unit inside a unit, instead of waiting for itself', async () => {
  const { group } = counted()
  await expect(group.run(() => group.run(async () => 'inner'))).rejects.toThrow('must not begin another')
  await expect(
    group.run(async () => {
      await Promise.resolve()
      return await group.run(async () => 'inner')
    }),
  ).rejects.toThrow('must not begin another')
})

it('takes a unit from what a unit began, once that unit is over', async () => {
  const { group } = counted()
  const later = await group.run(async () => ({
    unit: new Promise((resolve) => setTimeout(resolve, 5)).then(() => group.run(async () => 'later')),
  }))
  expect(await later.unit).toBe('later')
})

it('refuses a store that is used after its unit, whichever unit runs', async () => {
  const { unitOfWork, readers } = await openStorage(await newDatabase())
  const add = await unitOfWork.run(async ({ tombstones }) => tombstones.put)
  await expect(add('late' as UserId, aTombstone)).rejects.toThrow('outside its unit')
  let release = (): void => undefined
  let other: Promise<void> = Promise.resolve()
  await new Promise<void>((begun) => {
    other = unitOfWork.run(() => {
      begun()
      return new Promise((resolve) => {
        release = resolve
      })
    })
  })
  await expect(add('late' as UserId, aTombstone)).rejects.toThrow('outside its unit')
  release()
  await other
  expect(await readers.users.accountStatus('late')).toBeUndefined()
})

it("never runs one caller's work in the asynchronous context of another", async () => {
  const { group } = counted()
  const context = new AsyncLocalStorage<string>()
  const seen = await Promise.all(
    upTo(3).map((n) => context.run(`caller ${n}`, () => group.run(async () => context.getStore()))),
  )
  expect(seen).toEqual([undefined, undefined, undefined])
})

it('finishes what waits when it is closed, and takes nothing more', async () => {
  const { group, entries } = counted()
  const waiting = upTo(3).map((n) => group.run(async ({ add }) => add(n)))
  const closed = group.close()
  await expect(group.run(async ({ add }) => add(4))).rejects.toBeInstanceOf(Unavailable)
  await closed
  await Promise.all(waiting)
  expect(entries()).toEqual([1, 2, 3])
})

it('waits for units that come one in each turn of the loop, as long as they come', async () => {
  stopTheClock()
  const { group, commits, entries } = counted()
  const units: Promise<unknown>[] = []
  // Polling would advance the clock that stands still.
  const all = Promise.withResolvers<void>()
  const arrive = (n: number): void => {
    if (n < 20) setImmediate(() => arrive(n + 1))
    else all.resolve()
    units.push(group.run(async ({ add }) => add(n)))
  }
  arrive(1)
  await all.promise
  await Promise.all(units)
  expect(commits).toHaveLength(1)
  expect(entries()).toEqual(upTo(20))
})

/** Commits that are brought to the disk one by one, when the test says so. */
const slowDisk = () => {
  const syncs: PromiseWithResolvers<void>[] = []
  const sync = (): Promise<void> => {
    const synced = Promise.withResolvers<void>()
    syncs.push(synced)
    return synced.promise
  }
  const onDiskFailure = vi.fn()
  return { mode: { log: { sync }, onDiskFailure }, syncs, onDiskFailure }
}

it('answers a unit when its commit is on the disk, and goes on writing meanwhile', async () => {
  const { mode, syncs } = slowDisk()
  const { group, commits, entries } = counted(ENTRIES, mode)
  const answered: number[] = []
  const add = (n: number) => group.run(async (stores) => stores.add(n)).then(() => answered.push(n))
  const first = add(1)
  await expect.poll(() => commits.length).toBe(1)
  const second = add(2)
  await expect.poll(() => commits.length).toBe(2)
  expect(entries()).toEqual([1, 2])
  expect([answered, syncs.length]).toEqual([[], 1])
  expect(group.settling).toBeInstanceOf(Promise)
  syncs[0]?.resolve()
  await first
  await expect.poll(() => syncs.length).toBe(2)
  expect(answered).toEqual([1])
  syncs[1]?.resolve()
  await second
  await group.settling
  expect(group.settling).toBeUndefined()
})

it('commits one batch ahead of the disk, and no second one', async () => {
  const { mode, syncs } = slowDisk()
  const { group, commits } = counted(ENTRIES, mode)
  const adding = [1, 2, 3].map(async (n) => {
    await expect.poll(() => commits.length).toBe(Math.min(n - 1, 2))
    await group.run(async (stores) => stores.add(n))
  })
  await expect.poll(() => commits.length).toBe(2)
  const turns = upTo(20).reduce((before) => before.then(() => new Promise((go) => setImmediate(go))), Promise.resolve())
  await turns
  expect([commits.length, syncs.length]).toEqual([2, 1])
  syncs[0]?.resolve()
  await expect.poll(() => commits.length).toBe(3)
  syncs[1]?.resolve()
  await expect.poll(() => syncs.length).toBe(3)
  syncs[2]?.resolve()
  await Promise.all(adding)
})

it('syncs nothing for units that wrote nothing, and answers them no sooner than what they may have read', async () => {
  const { mode, syncs } = slowDisk()
  const { group, commits } = counted(ENTRIES, mode)
  expect(await group.run(async () => 'read')).toBe('read')
  expect(syncs).toHaveLength(0)
  const happened: string[] = []
  const written = group.run(async ({ add }) => add(1)).then(() => happened.push('written'))
  await expect.poll(() => commits.length).toBe(2)
  const read = group.run(async () => undefined).then(() => happened.push('read'))
  await expect.poll(() => commits.length).toBe(3)
  expect(happened).toEqual([])
  syncs[0]?.resolve()
  await Promise.all([written, read])
  expect([happened, syncs.length]).toEqual([['written', 'read'], 1])
})

it('is `Unavailable` for good from the first sync that fails, also for what was committed on top', async () => {
  const cause = new Error('EIO')
  const { mode, syncs, onDiskFailure } = slowDisk()
  const { group, commits, entries } = counted(ENTRIES, mode)
  const add = (n: number) => Promise.allSettled([group.run(async (stores) => stores.add(n))])
  const first = add(1)
  await expect.poll(() => commits.length).toBe(1)
  const onTop = add(2)
  await expect.poll(() => commits.length).toBe(2)
  const waiting = [add(3), Promise.allSettled([group.between(() => 'a task')])]
  const read = expect(group.settling).rejects.toMatchObject({ name: 'Unavailable', cause })
  syncs[0]?.reject(cause)
  const refused = { name: 'Unavailable', cause }
  // What was committed may come back at the next start.
  for (const each of [first, onTop]) expect(await each).toMatchObject([{ reason: { ...refused, unsure: true } }])
  for (const each of [...waiting, add(4)]) expect(await each).toMatchObject([{ reason: { ...refused, unsure: false } }])
  await read
  await expect(group.settling).rejects.toMatchObject({ name: 'Unavailable', cause })
  const task = vi.fn()
  await expect(group.between(task)).rejects.toMatchObject({ name: 'Unavailable', cause })
  expect(task).not.toHaveBeenCalled()
  expect([syncs.length, entries(), group.failed]).toEqual([1, [1, 2], true])
  expect(onDiskFailure.mock.calls).toEqual([[cause]])
  await group.close()
})

it('goes on with nothing, either, where something else of the database was not brought to the disk', async () => {
  const cause = new Error('EIO')
  const { mode, syncs, onDiskFailure } = slowDisk()
  const { group, commits } = counted(ENTRIES, mode)
  const unit = Promise.allSettled([group.run(async ({ add }) => add(1))])
  await expect.poll(() => commits.length).toBe(1)
  group.fail(cause)
  group.fail(new Error('another'))
  // Its own sync is of no use: what the log rests on may be lost.
  syncs[0]?.resolve()
  expect(await unit).toMatchObject([{ reason: { name: 'Unavailable', cause } }])
  await expect(group.run(async () => undefined)).rejects.toMatchObject({ name: 'Unavailable', cause })
  expect(onDiskFailure.mock.calls).toEqual([[cause]])
})

it('is closed when its commits are on the disk', async () => {
  const { mode, syncs } = slowDisk()
  const { group } = counted(ENTRIES, mode)
  const happened: string[] = []
  const unit = group.run(async ({ add }) => add(1)).then(() => happened.push('answered'))
  const closed = group.close().then(() => happened.push('closed'))
  await expect.poll(() => syncs.length).toBe(1)
  syncs[0]?.resolve()
  await Promise.all([unit, closed])
  expect(happened).toEqual(['answered', 'closed'])
})
