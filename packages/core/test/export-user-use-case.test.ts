import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { type AuditRecord, userExportText } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, caller, NO_ROLES, putUser, type Service, subscribe } from './cast.ts'
import { bounce, confirmed, hashOf, report } from './feedback.ts'
import { isParked } from './waiting.ts'

const withAda = async () => {
  const at = openMemoryService()
  await putUser(at, 'ada', ['admin'])
  await putUser(at, 'bob')
  await subscribe(at, 'ada.mail@example.com')
  await subscribe(at, 'bob.mail@example.com')
  return at
}
const exported = async (at: Service, who = ADMIN) => {
  const { audit, ...found } = await at.useCases.exportUser.execute({ userId: 'ada' }, who)
  const records: AuditRecord[] = []
  for await (const record of audit) records.push(record)
  return { ...found, audit: records }
}
/** As JSON has it. */
const published = async (at: Service) => {
  const found = await at.useCases.exportUser.execute({ userId: 'ada' }, ADMIN)
  let text = ''
  for await (const piece of userExportText(found)) text += piece
  return JSON.parse(text)
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
    expect((await published(at)).deliverability).toEqual({
      ...{ state: 'undeliverable', since: '2026-01-01T00:00:00.000Z', status: '5.1.1' },
    })
  })

  it('gives what senders reported of the address that waits, and not who reported it', async () => {
    const at = await withAda()
    expect((await published(at)).waiting_feedback).toEqual([])
    await at.storage.unitOfWork.run(async ({ feedback }) => {
      for (const name of ['ada', 'bob'])
        await feedback.add({
          ...{ caller: 'mailer', channel: 'http', feeds: [], kind: 'bounce', permanent: true, status: undefined },
          ...{
            address: hashOf(at, `${name}.mail@example.com`),
            mailbox: hashOf(at, 'x'),
            subscription: 7,
            at: 1,
            since: 2,
          },
        })
    })
    expect((await published(at)).waiting_feedback).toEqual([
      {
        ...{ kind: 'bounce', permanent: true, status: null },
        ...{ at: '1970-01-01T00:00:00.001Z', since: '1970-01-01T00:00:00.002Z' },
      },
    ])
  })

  it('gives what was asked about the address and could not be carried out', async () => {
    const at = await withAda()
    expect((await published(at)).waiting_requests).toEqual([])
    for (const name of ['ada', 'bob'])
      await isParked(at, `${name}.mail@example.com`, { fields: { company: 'Engines' } })
    const parked = '2026-01-01T00:00:00.000Z'
    expect((await published(at)).waiting_requests).toEqual([
      {
        ...{ at: parked, kind: 'sign-up', parked_at: parked },
        ...{ email: 'ada.mail@example.com', name: 'Formed', locale: null },
        feeds: [{ feed: 'default', wording: 'double-opt-in/1', fields: { company: 'Engines' } }],
        ...{ via: 'form', client_address: '192.0.2.0/24', user_agent: 'curl/8' },
      },
    ])
  })

  it('gives its sessions of the console, without what opens them', async () => {
    const at = await withAda()
    for (const subject of ['ada', 'bob', 'ada']) {
      const { secret: link } = await at.useCases.issueLoginLink.execute({ subject }, ADMIN)
      await at.useCases.beginConsoleSession.execute({ link })
    }
    const { sessions } = await published(at)
    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toEqual({
      ...{ id: expect.any(String), subject: 'ada', role_source: 'stored', created_at: '2026-01-01T00:00:00.000Z' },
      ...{ seen_at: '2026-01-01T00:00:00.000Z', expires_at: '2026-01-01T12:00:00.000Z' },
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
    await at.useCases.refusals.flush()
    const records = (await auditOf(at)).filter(({ actor }) => actor === NO_ROLES.id)
    expect(records.map(({ action, target }) => [action, target])).toEqual([
      ['user.export', 'ada'],
      ['user.export', 'nobody'],
    ])
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
