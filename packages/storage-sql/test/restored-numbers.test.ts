import path from 'node:path'
import { DAY } from '@rollcall/core'
import { expect, it } from 'vitest'
import { backupSqlite, NOTHING_WITHDRAWN, restoreSqlite } from '../src/sqlite/index.ts'
import { ADMIN, onFile, type Service, SOURCE } from './service-on-file.ts'
import { lookAt, newDatabase, newFolder } from './temporary-storage.ts'

const NOW = Date.now() - 30 * DAY

const subscribe = async ({ useCases }: Service, ...names: string[]) => {
  for (const name of names) await useCases.subscribe.execute({ email: `${name}@example.com`, source: SOURCE })
}

const numbersOf = async ({ useCases: { readers } }: Service) => {
  const current = await readers.numbers.current(undefined)
  const ever = await readers.numbers.ever()
  return {
    current: Object.fromEntries(current.map(({ status, count }) => [status, count])),
    ever: Object.fromEntries(ever.map(({ what, count }) => [what, count])),
  }
}

it('keeps the numbers of a backup, folded or not, and takes from them what was erased since', async () => {
  const file = await newDatabase()
  await onFile(file, NOW, async (service) => {
    await subscribe(service, 'ada', 'bob')
    expect(await numbersOf(service)).toEqual({ current: { pending: 2 }, ever: { requested: 2 } })
    await subscribe(service, 'cyd')
  })
  const backup = path.join(newFolder(), 'backup')
  await backupSqlite({ file, to: backup, replace: false, files: [] })
  await onFile(file, NOW + DAY, async (service) => {
    await subscribe(service, 'dan')
    await service.useCases.putUser.execute({ userId: 'ada', email: 'ada@example.com', name: '', roles: [] }, ADMIN)
    await service.useCases.deleteUser.execute({ userId: 'ada', subscriptions: 'erase', reason: 'asked' }, ADMIN)
  })
  await (await restoreSqlite({ file, backup, withdrawals: () => NOTHING_WITHDRAWN })).complete()
  const there = lookAt(file, (database) =>
    database.prepare<[], number>('SELECT count(*) FROM subscription').pluck().get(),
  )
  const { current, ever } = await onFile(file, NOW + DAY, numbersOf)
  expect(current).toEqual({ pending: there })
  expect(ever).toMatchObject({ requested: 3 })
})
