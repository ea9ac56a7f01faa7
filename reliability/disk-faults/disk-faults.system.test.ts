import { expect, it } from 'vitest'
import { Home } from '../service/service.ts'
import { FaultyService, surviveDiskFault } from './survive-disk-fault.ts'

const WRITES = 'pwrite64'
const SYNCS = 'fsync,fdatasync'

it.each([
  { calls: WRITES, effect: 'error=EIO', when: '210' },
  { calls: WRITES, effect: 'error=EROFS', when: '240+' },
  { calls: SYNCS, effect: 'error=EIO', when: '14+' },
  { calls: SYNCS, effect: 'delay_enter=60000' },
])('keeps its promises and recovers by itself from $calls $effect $when', async (fault) => {
  expect((await surviveDiskFault(fault)).problems).toEqual([])
})

/** So that the writes of a first start are not counted. */
const migrated = async (home: Home): Promise<void> => {
  await using service = new FaultyService(home)
  expect(await service.comesTo(200)).toBe(true)
  expect(await service.stop()).toBe(0)
}

it('loses and refuses nothing where a sync of the log fails now and then', async () => {
  await using home = await Home.make({})
  await migrated(home)
  // Each thread of the pool fails once. The repair is by another thread, and less often.
  await using service = new FaultyService(home, { calls: 'fdatasync', effect: 'error=EIO', when: '7' })
  expect(await service.comesTo(200)).toBe(true)
  const statuses = new Set<number | undefined>()
  for (let n = 0; n < 40; n++) statuses.add(await service.subscribe(`person-${n}@example.com`))
  expect(statuses).toEqual(new Set([200]))
  expect(await service.readiness()).toBe(200)
  expect(await service.stop()).toBe(0)
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
