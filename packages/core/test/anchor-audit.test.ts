import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { AnchorAuditUseCase, type AuditReader, type AuditSeal, sealText } from '../src/index.ts'
import { AUDITOR, putUser, type Service } from './cast.ts'

const sealed = async (at: Service, ...ids: string[]): Promise<string> => {
  for (const id of ids) await putUser(at, id)
  return sealText((await at.useCases.sealAudit.execute()) as AuditSeal)
}
const verify = ({ useCases }: Service) => useCases.verifyAudit.execute({}, AUDITOR)
/** What the anchor makes of a trail that reads like this. */
const anchorWith = ({ ports, storage }: Service, changed: Partial<AuditReader>) => {
  const audit: AuditReader = { ...storage.readers.audit, ...changed }
  return new AnchorAuditUseCase({ ...ports, readers: { ...storage.readers, audit } }).execute()
}

describe('the anchor of the audit trail', () => {
  it('has the newest seal, once there is one', async () => {
    const at = openMemoryService()
    expect(await at.useCases.anchorAudit.execute()).toBe('kept')
    expect(at.anchor.text).toBeUndefined()
    for (const ids of [['ada', 'bob'], ['eve']]) {
      const text = await sealed(at, ...ids)
      expect(await at.useCases.anchorAudit.execute()).toBe('kept')
      expect(at.anchor.text).toBe(text)
      expect(await at.useCases.anchorAudit.execute()).toBe('kept')
    }
    expect(await verify(at)).toEqual({
      records: 3,
      seals: 2,
      unsealed: 0,
      anchor: 3,
      interrupted: false,
      broken: undefined,
    })
  })

  it('catches up with a trail that went on elsewhere', async () => {
    const at = openMemoryService()
    await sealed(at, 'ada')
    await at.useCases.anchorAudit.execute()
    const newest = await sealed(at, 'bob')
    expect(await verify(at)).toMatchObject({ anchor: 1, broken: undefined })
    expect(await at.useCases.anchorAudit.execute()).toBe('kept')
    expect(at.anchor.text).toBe(newest)
  })

  it('does not follow a trail that was set back, or is another', async () => {
    const at = openMemoryService()
    await sealed(at, 'ada')
    const older = await at.storage.readers.audit.head()
    const newest = await sealed(at, 'bob')
    await at.useCases.anchorAudit.execute()
    const other = openMemoryService()
    other.clock.advance(1)
    await sealed(other, 'ada', 'bob', 'eve')
    expect(await anchorWith(at, { head: async () => older })).toBe('disagrees')
    expect(await anchorWith(at, { head: async () => undefined })).toBe('disagrees')
    other.anchor.text = newest
    expect(await other.useCases.anchorAudit.execute()).toBe('disagrees')
    expect([at.anchor.text, other.anchor.text]).toEqual([newest, newest])
    expect((await verify(other)).broken).toEqual({ sequence: 1, fault: 'changed', until: 3 })
  })

  it('does not take a seal that the secret did not make, and does not keep one', async () => {
    const at = openMemoryService()
    const text = await sealed(at, 'ada')
    const forged = text.replace(/\w{64}$/, '0'.repeat(64))
    for (const [kept, fault] of [
      [forged, 'forged'],
      ['', 'anchor'],
      ['what is this', 'anchor'],
    ] as const) {
      at.anchor.text = kept
      expect(await at.useCases.anchorAudit.execute()).toBe('disagrees')
      expect(at.anchor.text).toBe(kept)
      expect((await verify(at)).broken?.fault).toBe(fault)
    }
    at.anchor.text = text
    const head = await at.storage.readers.audit.head()
    const untrue = { ...(head as AuditSeal), last: 2 }
    expect(await anchorWith(at, { head: async () => untrue })).toBe('disagrees')
    expect(at.anchor.text).toBe(text)
  })

  it('shows a trail that is gone whole, and without one the users that are left do', async () => {
    const at = openMemoryService()
    const { users } = at.storage.readers
    at.anchor.text = await sealed(openMemoryService(), 'ada')
    expect((await verify(at)).broken).toEqual({ sequence: 1, fault: 'cut' })
    at.anchor.text = undefined
    expect((await verify(at)).broken).toBeUndefined()
    await at.storage.unitOfWork.run((stores) =>
      stores.users.put({
        id: 'ada' as never,
        email: 'ada@example.com',
        emailKey: 'ada@example.com',
        name: '',
        roles: [],
        createdAt: 1,
        updatedAt: 1,
      }),
    )
    expect((await verify(at)).broken).toEqual({ sequence: 1, fault: 'emptied' })
    Object.assign(users, { keptByHost: true })
    expect((await verify(at)).broken).toBeUndefined()
  })
})
