import path from 'node:path'
import type { UserId } from '@rollcall/core'
import { expect, it } from 'vitest'
import { backupSqlite, NOTHING_WITHDRAWN, restoreSqlite } from '../src/sqlite/index.ts'
import { ADMIN, onFile, type Service, SOURCE } from './service-on-file.ts'
import { newDatabase, newFolder, openStorage } from './temporary-storage.ts'

/** A database over which a backup was restored: made before some work was done, and after other. */
const restored = async (before: (service: Service) => Promise<unknown>, since: typeof before) => {
  const file = await newDatabase()
  await onFile(file, 1_000_000, before)
  const backup = path.join(newFolder(), 'backup')
  await backupSqlite({ file, to: backup, replace: false, files: [] })
  await onFile(file, 2_000_000, since)
  await (await restoreSqlite({ file, backup, withdrawals: () => NOTHING_WITHDRAWN })).complete()
  return await openStorage(file)
}

const put = ({ useCases }: Service, userId: string, email = `${userId}@example.com`) =>
  useCases.putUser.execute({ userId, email, name: '', roles: ['auditor'] }, ADMIN)

it('keeps users suspended, and out with old tokens, whom the backup does not know', async () => {
  const { readers } = await restored(
    (service) => put(service, 'old', 'taken@example.com'),
    async (service) => {
      const { deleteUser, resumeUser, suspendUser } = service.useCases
      await deleteUser.execute({ userId: 'old' }, ADMIN)
      await put(service, 'heir', 'taken@example.com')
      for (const id of ['suspended', 'resumed', 'new']) await put(service, id)
      for (const userId of ['suspended', 'resumed', 'heir']) await suspendUser.execute({ userId }, ADMIN)
      await resumeUser.execute({ userId: 'resumed' }, ADMIN)
    },
  )
  const status = (id: string) => readers.users.accountStatus(id)
  expect([await status('suspended'), await status('heir')]).toEqual(['suspended', 'suspended'])
  expect(await status('resumed')).toMatchObject({ roles: ['auditor'], tokensNotBefore: 2_000_000 })
  expect([await status('new'), await status('old')]).toEqual([undefined, 'deleted'])
})

it('says what to do where a suspended user has the address that is of another in the backup, and replaces nothing', async () => {
  const file = await newDatabase()
  await onFile(file, 1_000_000, (service) => put(service, 'old', 'shared@example.com'))
  const backup = path.join(newFolder(), 'backup')
  await backupSqlite({ file, to: backup, replace: false, files: [] })
  await onFile(file, 2_000_000, async (service) => {
    await put(service, 'old', 'moved@example.com')
    await put(service, 'new', 'shared@example.com')
    await service.useCases.suspendUser.execute({ userId: 'new' }, ADMIN)
  })
  const restore = () => restoreSqlite({ file, backup, withdrawals: () => NOTHING_WITHDRAWN })
  await expect(restore()).rejects.toThrow(
    /user new is not in the backup.*suspension.* has its address\. Give it another.*Nothing was/,
  )
  await onFile(file, 3_000_000, async ({ useCases }) => {
    expect(await useCases.readers.users.accountStatus('new')).toBe('suspended')
    await useCases.patchUser.execute({ userId: 'new', email: 'other@example.com' }, ADMIN)
  })
  await (await restore()).complete()
  const { readers } = await openStorage(file)
  expect(await readers.users.accountStatus('new')).toBe('suspended')
  expect(await readers.users.find('old' as UserId)).toMatchObject({ email: 'shared@example.com' })
})

it('sends to no webhook that was deleted or disabled since, and to one that was changed as it is now', async () => {
  const url = (name: string) => `https://${name}.example.com/`
  const { readers } = await restored(
    async ({ useCases }) => {
      for (const name of ['deleted', 'disabled', 'changed'])
        await useCases.putWebhook.execute({ name, url: url(name) }, ADMIN)
    },
    async ({ useCases }) => {
      await useCases.deleteWebhook.execute({ name: 'deleted' }, ADMIN)
      await useCases.patchWebhook.execute({ name: 'disabled', enabled: false }, ADMIN)
      await useCases.putWebhook.execute({ name: 'changed', url: url('other') }, ADMIN)
    },
  )
  const { items } = await readers.webhooks.list({ after: 0, limit: 9 })
  expect(items.map(({ name, url, disabled }) => [name, url, disabled !== undefined])).toEqual([
    ['disabled', url('disabled'), true],
    ['changed', url('other'), false],
  ])
})

it('brings no value of a field back that was erased since', async () => {
  const fields = ['city', 'firm'].map((name) => ({ name, type: 'text', label: { en: name } }) as const)
  const { readers } = await restored(
    async ({ useCases, token }) => {
      await useCases.putFeed.execute({ name: 'default', fields }, ADMIN)
      for (const name of ['ada', 'bob'])
        await useCases.subscribe.execute({
          email: `${name}@example.com`,
          fields: name === 'ada' ? { city: 'London', firm: 'ACME' } : { city: 'Paris' },
          source: SOURCE,
        })
      await useCases.confirmSubscription.execute({ token: await token('confirm'), source: SOURCE })
    },
    ({ useCases }) =>
      useCases.putFeed.execute({ name: 'default', fields: fields.slice(1), removedFields: 'erase' }, ADMIN),
  )
  const { items } = await readers.subscriptions.list({ after: 0, limit: 9 })
  expect(items.map((one) => one.fields)).toEqual([{ firm: 'ACME' }, undefined])
})
