import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller, UseCases } from '@rollcall/core'
import { openMemoryService } from '@rollcall/core/memory'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { silentLog } from '../src/log.ts'
import { NO_SERVICE_METRICS } from '../src/metrics/service-metrics.ts'
import { Housekeeper } from '../src/workers/housekeeper.ts'

const NO_ROLES: Caller = { id: 'nobody', roles: [], roleSource: 'token', channel: 'http' }
const ADMIN: Caller = { id: 'root', roles: ['admin'], roleSource: 'token', channel: 'http' }
const SECOND = 1_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const openHousekeeper = (others: Partial<Pick<UseCases, 'queueReminders'>> = {}, metrics = NO_SERVICE_METRICS) => {
  const service = openMemoryService()
  const done: string[] = []
  const note = (what: string) => async () => {
    done.push(what)
    return true
  }
  const jumpGuardedClock = { now: () => service.clock.now(), setBacks: 0 }
  const housekeeper = new Housekeeper({
    useCases: { ...service.useCases, ...others },
    storage: { completeErasure: note('erasure') },
    sweepMails: async () => void done.push('mails'),
    metrics,
    jumpGuardedClock,
    log: silentLog,
  })
  housekeeper.start()
  const { audit } = service.storage.readers
  // Not sealed for being read.
  const opened = service.ports.readers
  const refused = async () =>
    await service.useCases.deleteUser.execute({ userId: 'ada' }, NO_ROLES).catch(({ name }: Error) => name)
  const trail = async () => (await audit.list({ after: 0, limit: 10 })).items.map(({ outcome }) => outcome)
  const sealed = async () => (await opened.audit.head())?.last
  return { jumpGuardedClock, housekeeper, done, refused, trail, sealed, ...service }
}

it('makes mails due, of a time that never came, once the clock was set back', async () => {
  const { housekeeper, jumpGuardedClock, useCases, clock, storage } = openHousekeeper()
  clock.advance(365 * 24 * 3_600 * SECOND)
  const source = { via: 'form', clientAddress: undefined, userAgent: undefined } as const
  await useCases.subscribe.execute({ email: 'ada@example.com', source })
  clock.advance(-365 * 24 * 3_600 * SECOND)
  expect((await storage.readers.outbox.health()).dueSince).toBeUndefined()
  jumpGuardedClock.setBacks++
  await vi.advanceTimersByTimeAsync(SECOND)
  await housekeeper.stop()
  expect((await storage.readers.outbox.health()).dueSince).toBe(clock.now())
})

it('takes a seal that it does not try, because it has just failed, for no success', async () => {
  const seals: boolean[] = []
  const choreDone = (name: string, failed: boolean) => void (name.startsWith('numbering') && seals.push(failed))
  const { housekeeper, useCases } = openHousekeeper({}, { ...NO_SERVICE_METRICS, choreDone })
  await vi.advanceTimersByTimeAsync(SECOND)
  const begun = seals.length
  expect(begun).toBeGreaterThan(1)
  vi.spyOn(useCases.sealer, 'beat').mockResolvedValue(false)
  await vi.advanceTimersByTimeAsync(SECOND)
  expect(seals).toHaveLength(begun)
  await housekeeper.stop()
})

it('has a refusal on record within a second', async () => {
  const { housekeeper, refused, trail } = openHousekeeper()
  expect(await refused()).toBe('InsufficientPermissions')
  expect(await trail()).toEqual([])
  await vi.advanceTimersByTimeAsync(SECOND)
  await expect.poll(trail).toEqual(['InsufficientPermissions'])
  await housekeeper.stop()
})

it('has refusals on record, and the trail sealed, when it is stopped', async () => {
  const { housekeeper, refused, trail, sealed } = openHousekeeper()
  await refused()
  await housekeeper.stop()
  expect(await trail()).toEqual(['InsufficientPermissions'])
  expect(await sealed()).toBe(1)
})

it('ends long work after the batch in hand when it is stopped, with refusals on record', async () => {
  let batches = 0
  const enough = 10_000
  const execute = async () => {
    batches++
    await nextTurn()
    return { more: batches < enough } as Awaited<ReturnType<UseCases['queueReminders']['execute']>>
  }
  const { housekeeper, refused, trail } = openHousekeeper({
    queueReminders: { execute } as UseCases['queueReminders'],
  })
  await vi.advanceTimersByTimeAsync(60 * SECOND)
  expect(batches).toBeGreaterThan(0)
  await refused()
  await housekeeper.stop()
  expect(await trail()).toEqual(['InsufficientPermissions'])
  expect(batches).toBeLessThan(enough)
})

it('has on record what was refused while others were still stopping, when it is stopped once more', async () => {
  const { housekeeper, refused, trail } = openHousekeeper()
  await housekeeper.stop()
  await refused()
  await housekeeper.stop()
  expect(await trail()).toEqual(['InsufficientPermissions'])
})

it('has on record who reads lists of people, at once and with a count every hour and at the end', async () => {
  const { housekeeper, useCases, clock, storage } = openHousekeeper()
  const reads = async () =>
    (await storage.readers.audit.list({ after: 0, limit: 10 })).items.map(({ action, count }) => [action, count])
  for (let page = 0; page < 2; page++) await useCases.listUsers.execute({}, ADMIN)
  expect(await reads()).toEqual([])
  await vi.advanceTimersByTimeAsync(SECOND)
  await expect.poll(reads).toEqual([['user.read', 2]])
  for (let page = 0; page < 3; page++) await useCases.listUsers.execute({}, ADMIN)
  await vi.advanceTimersByTimeAsync(SECOND)
  clock.advance(3_600 * SECOND)
  await vi.advanceTimersByTimeAsync(SECOND)
  await expect.poll(reads).toEqual([
    ['user.read', 2],
    ['user.read', 3],
  ])
  await useCases.listUsers.execute({}, ADMIN)
  await housekeeper.stop()
  expect(await reads()).toHaveLength(3)
})

it('seals the trail within a second', async () => {
  const { housekeeper, useCases, sealed } = openHousekeeper()
  await useCases.putUser.execute({ userId: 'ada', email: 'ada.mail@example.com', name: '', roles: [] }, ADMIN)
  expect(await sealed()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(SECOND)
  await expect.poll(sealed).toBe(1)
  await housekeeper.stop()
})

it('cleans the data folder twice in ten seconds', async () => {
  const { housekeeper, done } = openHousekeeper()
  for (let second = 0; second < 10; second++) await vi.advanceTimersByTimeAsync(SECOND)
  const times = (what: string) => done.filter((one) => one === what).length
  expect([times('mails'), times('erasure')]).toEqual([3, 2])
  await housekeeper.stop()
})
