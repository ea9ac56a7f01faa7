import { rmSync } from 'node:fs'
import path from 'node:path'
import { DAY, HOUR } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { backupSqlite, NOTHING_WITHDRAWN, restoreSqlite, type Withdrawals } from '../src/sqlite/index.ts'
import { ADMIN, onFile, type Service, SOURCE } from './service-on-file.ts'
import { lookAt, newDatabase, newFolder } from './temporary-storage.ts'

const ADA = 'ada@example.com'
const START = Date.UTC(2026, 0, 1)

type Work = (service: Service, id: number) => Promise<unknown>

/** A database after some work, and a backup of it from before the rest of the work, which was restored. */
const afterRestore = async (before: Work, since: Work, lost?: (id: number) => Withdrawals) => {
  const file = await newDatabase()
  const backup = path.join(newFolder(), 'backup')
  const state = { at: START, id: 0 }
  const does = (work: Work) =>
    onFile(file, state.at, async (service) => {
      await work(service, state.id)
      state.at = service.clock.now()
    })
  await does(async ({ useCases }) => {
    await useCases.putFeed.execute({ name: 'default', remindAfter: '1d' }, ADMIN)
    state.id = (await useCases.subscribe.execute({ email: ADA, source: SOURCE })).id
  })
  await does(before)
  await backupSqlite({ file, to: backup, replace: false, files: [] })
  await does(since)
  if (lost) rmSync(file)
  const restore = await restoreSqlite({ file, backup, withdrawals: () => lost?.(state.id) ?? NOTHING_WITHDRAWN })
  await restore.complete()
  return { file, ...state }
}

const deliver: Work = ({ useCases }) => useCases.deliverOutbox.execute({ limit: 9 })

describe('a reminder that was planned', () => {
  const remind: Work = async (service, id) => {
    service.clock.advance(DAY + HOUR)
    await service.useCases.queueReminders.execute()
    await deliver(service, id)
  }
  const end: Work = ({ useCases }, id) =>
    useCases.endOnBehalf.execute({ subscriptionId: String(id), reason: 'asked by telephone' }, ADMIN)

  it.each<[string, Work, Work, number]>([
    ['comes where nothing has happened since', deliver, async () => {}, 1],
    ['comes where the mail before it went out since', async () => {}, deliver, 1],
    ['does not come again where it went out since', deliver, remind, 0],
    ['does not come where the subscription has ended since', deliver, end, 0],
  ])('%s', async (_, before, since, count) => {
    const { file, at, id } = await afterRestore(before, since)
    await onFile(file, at, async (service) => {
      for (const _ of [1, 2]) await remind(service, id)
      expect(service.mails().filter(({ kind }) => kind === 'reminder')).toHaveLength(count)
      expect(service.mails()).toHaveLength(count)
    })
  })
})

describe('an address that is undeliverable', () => {
  const bounce: Work = ({ useCases }, id) =>
    useCases.recordFeedback.execute({ items: [{ kind: 'bounce', subscription: String(id), status: '5.1.1' }] }, ADMIN)
  const lift: Work = ({ useCases }) => useCases.liftUndeliverable.execute({ address: ADA }, ADMIN)
  const erase: Work = ({ useCases }, id) => useCases.eraseSubscription.execute({ subscriptionId: String(id) }, ADMIN)
  const nothing: Work = async () => {}

  const stateAfter = async (...life: Parameters<typeof afterRestore>) => {
    const { file, at } = await afterRestore(...life)
    const rows = lookAt(file, (database) => database.prepare('SELECT count(*) FROM deliverability').pluck().get())
    return await onFile(file, at, async ({ useCases }) => {
      const { deliverability } = await useCases.explainSubscriptions.execute({ email: ADA }, ADMIN)
      return `${deliverability}, ${rows}`
    })
  }

  it('stays so, whether it became so before or since, and is in order where that was lifted or erased since', async () => {
    expect(await stateAfter(bounce, nothing)).toBe('undeliverable, 1')
    expect(await stateAfter(nothing, bounce)).toBe('undeliverable, 1')
    expect(await stateAfter(bounce, lift)).toBe('ok, 0')
    expect(await stateAfter(bounce, erase)).toBe('ok, 0')
  })

  it('is forgotten with its last subscription where the events alone are left, and not with another', async () => {
    const both: Work = async (service, id) => {
      await service.useCases.putFeed.execute({ name: 'weekly' }, ADMIN)
      await service.useCases.subscribe.execute({ email: ADA, feed: 'weekly', source: SOURCE })
      await bounce(service, id)
    }
    const erased = (before: Work) =>
      stateAfter(before, erase, (id) => ({ ...NOTHING_WITHDRAWN, erased: new Set([id]) }))
    expect(await erased(bounce)).toBe('ok, 0')
    expect(await erased(both)).toBe('undeliverable, 1')
  })
})
