import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { Ledger } from '../shared/ledger.ts'
import { fromSource, Home, Service } from '../shared/service.ts'
import {
  type DiskFault,
  examine,
  isReady,
  NOT_TAKEN,
  onDisk,
  outputOf,
  signUp,
  stopped,
  surviveFailingDisk,
} from './failing-disk.ts'

const WRITES = 'pwrite64'
const ADA = ['--email', 'ada@example.com', '--name', 'Ada']
const SYNCS = 'fsync,fdatasync'

it.each([
  { calls: WRITES, effect: 'error=EIO', when: '210' },
  { calls: WRITES, effect: 'error=EROFS', when: '240+' },
  { calls: SYNCS, effect: 'error=EIO', when: '14+' },
  { calls: SYNCS, effect: 'delay_enter=60000' },
])('keeps its promises, and recovers by itself or in the next process, from $calls $effect $when', async (fault) => {
  expect((await surviveFailingDisk(fromSource(), fault)).findings).toEqual([])
})

const on = (home: Home, fault?: DiskFault, ...args: readonly string[]): Service =>
  new Service(fault === undefined ? fromSource() : onDisk(fault), home, args.length > 0 ? args : ['serve'])

/** So that the writes of a first start are not counted. */
const migrated = async (home: Home): Promise<void> => {
  await using service = on(home)
  expect(await isReady(service)).toBe(true)
  expect(await stopped(service)).toBe(0)
}

it('ends with 4 and the reason at the first sync of the log that fails, and the next start has all that was answered', async () => {
  await using home = await Home.make({})
  await migrated(home)
  const ledger = new Ledger()
  {
    // Each thread of the pool fails once: the next sync would succeed, as that of a system that forgot what it lost.
    await using service = on(home, { calls: 'fdatasync', effect: 'error=EIO', when: '5' })
    expect(await isReady(service)).toBe(true)
    const statuses = await signUp(service, ledger, 80)
    expect(new Set(statuses)).toEqual(new Set([200, undefined]))
    expect((await service.ended).code).toBe(4)
    expect(outputOf(service)).toContain(NOT_TAKEN)
  }
  expect(await examine(home, ledger)).toEqual([])
})

it('ends a command with 4 and the same reason, beside a server and alone', async () => {
  await using home = await Home.make({})
  await migrated(home)
  const put = async () => {
    const command = on(home, { calls: 'fdatasync', effect: 'error=EIO' }, 'user', 'put', 'ada', ...ADA)
    const { code } = await command.ended
    return { code, stderr: command.stderr }
  }
  const failed = { code: 4, stderr: expect.stringMatching(new RegExp(`^error: ${NOT_TAKEN}`, 'm')) }
  expect(await put()).toMatchObject(failed)
  await using service = on(home)
  expect(await isReady(service)).toBe(true)
  expect(await put()).toMatchObject(failed)
  expect(await stopped(service)).toBe(0)
})

it('does not begin if the disk refuses what the process before has left', async () => {
  await using home = await Home.make({})
  const ledger = new Ledger()
  {
    await using service = on(home)
    expect(await isReady(service)).toBe(true)
    expect(await signUp(service, ledger, 1)).toEqual([200])
    await service.kill()
  }
  const log = await readFile(path.join(home.data, 'rollcall.db-wal'))
  {
    await using service = on(home, { calls: 'fdatasync', effect: 'error=EIO' })
    expect((await service.ended).code).toBe(4)
    expect(outputOf(service)).toContain(NOT_TAKEN)
  }
  expect(await readFile(path.join(home.data, 'rollcall.db-wal'))).toEqual(log)
  expect(await examine(home, ledger)).toEqual([])
})

it('is not ready while the disk is full, and becomes ready when there is space, without a request in between', async () => {
  await using home = await Home.make({})
  await migrated(home)
  await using service = on(home, { calls: WRITES, effect: 'error=ENOSPC', when: '60..150' })
  expect(await isReady(service)).toBe(true)
  const ledger = new Ledger()
  const statuses = new Set<number | undefined>()
  for (let n = 0; n < 60 && !statuses.has(503); n++) statuses.add((await signUp(service, ledger, 1))[0])
  expect(statuses).toEqual(new Set([200, 503]))
  expect(await service.readiness()).toBe(503)
  expect(await isReady(service)).toBe(true)
  expect(await signUp(service, ledger, 1)).toEqual([200])
})

// The check itself.
it('finds an address that was answered and never sent', async () => {
  await using home = await Home.make({})
  await migrated(home)
  const ledger = new Ledger()
  const person = ledger.newPerson()
  person.answered({ kind: 'subscribe', name: 'Ada' }, 200, 0)
  expect((await examine(home, ledger)).map(({ invariant }) => invariant)).toContain('I1')
})
