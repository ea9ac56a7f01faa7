import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { fromSource, Home } from '../shared/service.ts'
import { commandOn, examine, FaultyService, NOT_TAKEN, surviveFailingDisk } from './failing-disk.ts'

const WRITES = 'pwrite64'
const ADA = ['--email', 'ada@example.com', '--name', 'Ada']
const SYNCS = 'fsync,fdatasync'

it.each([
  { calls: WRITES, effect: 'error=EIO', when: '210' },
  { calls: WRITES, effect: 'error=EROFS', when: '240+' },
  { calls: SYNCS, effect: 'error=EIO', when: '14+' },
  { calls: SYNCS, effect: 'delay_enter=60000' },
])('keeps its promises, and recovers by itself or in the next process, from $calls $effect $when', async (fault) => {
  expect((await surviveFailingDisk(fromSource(), fault)).problems).toEqual([])
})

/** So that the writes of a first start are not counted. */
const migrated = async (home: Home): Promise<void> => {
  await using service = new FaultyService(home)
  expect(await service.comesTo(200)).toBe(true)
  expect(await service.stop()).toBe(0)
}

it('ends with 4 and the reason at the first sync of the log that fails, and the next start has all that was answered', async () => {
  await using home = await Home.make({})
  await migrated(home)
  const answered: string[] = []
  {
    // Each thread of the pool fails once: the next sync would succeed, as that of a system that forgot what it lost.
    await using service = new FaultyService(home, { calls: 'fdatasync', effect: 'error=EIO', when: '5' })
    expect(await service.comesTo(200)).toBe(true)
    for (let n = 0; n < 80; n++) {
      const email = `person-${n}@example.com`
      const status = await service.subscribe(email)
      if (status === undefined) break
      expect(status).toBe(200)
      answered.push(email)
    }
    expect((await service.ended).code).toBe(4)
    expect(service.output).toContain(NOT_TAKEN)
  }
  expect([answered.length > 0, answered.length < 80]).toEqual([true, true])
  expect(await examine(home, answered)).toEqual([])
})

it('ends a command with 4 and the same reason, beside a server and alone', async () => {
  await using home = await Home.make({})
  await migrated(home)
  const put = () => commandOn(home, { calls: 'fdatasync', effect: 'error=EIO' }, 'user', 'put', 'ada', ...ADA)
  const failed = { code: 4, stderr: expect.stringMatching(new RegExp(`^error: ${NOT_TAKEN}`, 'm')) }
  expect(await put()).toMatchObject(failed)
  await using service = new FaultyService(home)
  expect(await service.comesTo(200)).toBe(true)
  expect(await put()).toMatchObject(failed)
  expect(await service.stop()).toBe(0)
})

it('does not begin if the disk refuses what the process before has left', async () => {
  await using home = await Home.make({})
  {
    await using service = new FaultyService(home)
    expect(await service.comesTo(200)).toBe(true)
    expect(await service.subscribe('person@example.com')).toBe(200)
    await service.kill()
  }
  const log = await readFile(path.join(home.data, 'rollcall.db-wal'))
  {
    await using service = new FaultyService(home, { calls: 'fdatasync', effect: 'error=EIO' })
    expect((await service.ended).code).toBe(4)
    expect(service.output).toContain(NOT_TAKEN)
  }
  expect(await readFile(path.join(home.data, 'rollcall.db-wal'))).toEqual(log)
  expect(await examine(home, ['person@example.com'])).toEqual([])
})

it('is not ready while the disk is full, and becomes ready when there is space, without a request in between', async () => {
  await using home = await Home.make({})
  await migrated(home)
  await using service = new FaultyService(home, { calls: WRITES, effect: 'error=ENOSPC', when: '60..150' })
  expect(await service.comesTo(200)).toBe(true)
  const statuses = new Set<number | undefined>()
  for (let n = 0; n < 60 && !statuses.has(503); n++) statuses.add(await service.subscribe(`person-${n}@example.com`))
  expect(statuses).toEqual(new Set([200, 503]))
  expect(await service.readiness()).toBe(503)
  expect(await service.comesTo(200)).toBe(true)
  expect(await service.subscribe('afterwards@example.com')).toBe(200)
})
