import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { userExportRecord } from '../src/all.ts'
import type { AuditRecord } from '../src/index.ts'
import { ADMIN, AUDITOR, caller, NO_ROLES, putUser, type Service, subscribe } from './cast.ts'
import { bounce, confirmed, report } from './feedback.ts'

const withAda = async () => {
  const at = openMemoryService()
  await putUser(at, 'ada', ['admin'])
  await putUser(at, 'bob')
  await subscribe(at, 'ada.mail@example.com')
  await subscribe(at, 'bob.mail@example.com')
  return at
}
const exported = async (at: Service, who = ADMIN) => {
  const { user, subscriptions, deliverability, audit } = await at.useCases.exportUser.execute({ userId: 'ada' }, who)
  const records: AuditRecord[] = []
  for await (const record of audit) records.push(record)
  return { user, subscriptions, deliverability, audit: records }
}

describe('exporting a user', () => {
  it('gives the record, the subscriptions of the address, and what the trail says of it', async () => {
    const at = await withAda()
    await at.useCases.deleteUser.execute({ userId: 'bob' }, caller('ada', 'admin'))
    const { user, subscriptions, audit } = await exported(at)
    expect(user).toMatchObject({ id: 'ada', email: 'ada.mail@example.com', roles: ['admin'] })
    expect(subscriptions.map(({ email }) => email)).toEqual(['ada.mail@example.com'])
    expect(audit.map(({ actor, action, target }) => [actor, action, target])).toEqual([
      ['root', 'user.put', 'ada'],
      ['ada', 'user.delete', 'bob'],
    ])
  })

  it('gives what came back of mails to the address', async () => {
    const at = await withAda()
    expect((await exported(at)).deliverability).toBeUndefined()
    await report(at, [bounce(await confirmed(at, 'ada.mail@example.com'))])
    const { deliverability, user, subscriptions } = await exported(at)
    expect(userExportRecord({ deliverability, user, subscriptions }).deliverability).toEqual({
      ...{ state: 'undeliverable', since: '2026-01-01T00:00:00.000Z', status: '5.1.1' },
    })
  })

  it('is for the user itself and for administrators', async () => {
    const at = await withAda()
    expect((await exported(at, caller('ada'))).user.id).toBe('ada')
    await expect(exported(at, AUDITOR)).rejects.toThrow("Exporting users requires the 'admin' role.")
  })

  it('hides the user from everybody else, existing or not', async () => {
    const at = await withAda()
    for (const userId of ['ada', 'nobody'])
      await expect(at.useCases.exportUser.execute({ userId }, NO_ROLES)).rejects.toMatchObject({ name: 'UserNotFound' })
  })

  it('says that the user was deleted to who may know', async () => {
    const at = await withAda()
    await at.useCases.deleteUser.execute({ userId: 'bob' }, ADMIN)
    await expect(at.useCases.exportUser.execute({ userId: 'bob' }, ADMIN)).rejects.toMatchObject({
      name: 'UserDeleted',
    })
    await expect(at.useCases.exportUser.execute({ userId: 'x' }, ADMIN)).rejects.toMatchObject({ name: 'UserNotFound' })
  })
})
