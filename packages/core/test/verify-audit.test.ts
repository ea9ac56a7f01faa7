import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import {
  type AuditReader,
  type AuditSeal,
  AuditTrail,
  type OwnedTombstone,
  type Readers,
  type SealedRecord,
  sealText,
  type TombstoneReader,
  type UserId,
  VerifyAuditUseCase,
} from '../src/index.ts'
import { ADMIN, AUDITOR, NO_ROLES, putUser, type Service } from './cast.ts'

const withRecords = async (count: number, sealed = true): Promise<Service> => {
  const at = openMemoryService()
  for (let n = 0; n < count; n++) await putUser(at, `u${n}`)
  if (sealed) await at.useCases.sealAudit.execute()
  return at
}
const verify = ({ useCases }: Service, since?: string) => useCases.verifyAudit.execute({ since }, AUDITOR)

/** The same trail, as it would be read from a store that somebody changed. */
const verifyWith = (at: Service, changed: Partial<AuditReader>, tombstones: Partial<TombstoneReader> = {}) => {
  const { readers } = at.storage
  const audit = { ...throughout(readers.audit, ['list', 'unsealed', 'find', 'seals', 'head']), ...changed }
  const forged = { ...throughout(readers.tombstones, ['find', 'list']), ...tombstones }
  const { digests } = at.ports
  const ports = { access: at.useCases.access, readers: { ...readers, audit, tombstones: forged }, digests }
  return new VerifyAuditUseCase(ports).execute({}, ADMIN)
}
const throughout = <Reader extends object>(reader: Reader, names: readonly (keyof Reader)[]): Reader =>
  Object.fromEntries(names.map((name) => [name, reader[name]])) as Reader
const nothing = async () => ({ items: [], next: undefined })

const tampered = (at: Service, change: (records: SealedRecord[]) => SealedRecord[]) =>
  verifyWith(at, {
    list: async ({ after, limit }) => {
      const { items: stored } = await at.storage.readers.audit.list({ after: 0, limit: 10_000 })
      const items = change([...stored])
        .filter(({ sequence }) => sequence > after)
        .slice(0, limit)
      return { items, next: undefined }
    },
  })

describe('verifying the audit trail', () => {
  it('finds that an untouched trail holds, be it empty', async () => {
    const holding = { unsealed: 0, interrupted: false, broken: undefined }
    expect(await verify(openMemoryService())).toEqual({ records: 0, seals: 0, ...holding })
    expect(await verify(await withRecords(5))).toEqual({ records: 5, seals: 1, ...holding })
    // Who verifies has it sealed first.
    expect(await verify(await withRecords(5, false))).toEqual({ records: 5, seals: 1, ...holding })
  })

  it('counts what could not be sealed, and compares it with the users', async () => {
    const at = await withRecords(1)
    await putUser(at, 'u0', ['auditor'])
    const raw = (readers = at.ports.readers) =>
      new VerifyAuditUseCase({ ...at.ports, access: at.useCases.access, readers }).execute({}, ADMIN)
    expect(await raw()).toMatchObject({ records: 1, seals: 1, unsealed: 1, broken: undefined })
    await at.useCases.deleteUser.execute({ userId: 'u0' }, ADMIN)
    const tombstones = { find: async () => undefined, list: async () => [] }
    expect(await raw({ ...at.ports.readers, tombstones } as Readers)).toMatchObject({
      ...{ records: 1, unsealed: 2, broken: { sequence: 0, fault: 'tombstone', user: 'u0' } },
    })
  })

  it('gives the newest seal only once', async () => {
    const at = await withRecords(1_001)
    expect(await at.useCases.sealAudit.execute()).toBeUndefined()
    await putUser(at, 'another')
    expect(await at.useCases.sealAudit.execute()).toMatchObject({ first: 1_002, last: 1_002 })
    expect(await verify(at)).toMatchObject({ records: 1_002, seals: 3 })
  })

  it('names the first record that was changed', async () => {
    const at = await withRecords(9)
    const changed = await tampered(at, (records) =>
      records.with(3, { ...(records[3] as SealedRecord), actor: 'other' }),
    )
    expect(changed).toMatchObject({ records: 0, broken: { sequence: 1, fault: 'changed', until: 9 } })
  })

  it('names the first record that is missing', async () => {
    const at = await withRecords(9)
    const removed = await tampered(at, (records) => records.toSpliced(4, 1))
    expect(removed.broken).toEqual({ sequence: 5, fault: 'changed' })
    const first = await tampered(at, (records) => records.toSpliced(0, 1))
    expect(first.broken).toEqual({ sequence: 1, fault: 'changed' })
    await putUser(at, 'another')
    await at.useCases.sealAudit.execute()
    const last = await tampered(at, (records) => records.toSpliced(8, 1))
    expect(last.broken).toEqual({ sequence: 9, fault: 'changed' })
  })

  it('finds a tail that was cut after a checkpoint was made', async () => {
    const at = await withRecords(9)
    for (const left of [6, 8])
      expect((await tampered(at, (records) => records.slice(0, left))).broken).toEqual({
        ...{ sequence: left + 1, fault: 'cut' },
      })
    expect((await tampered(at, () => [])).broken).toEqual({ sequence: 1, fault: 'cut' })
  })

  it('finds a chain that holds but was rewritten, by its seal', async () => {
    const at = await withRecords(6)
    const rewritten = openMemoryService()
    rewritten.clock.advance(5)
    for (let n = 0; n < 6; n++) await putUser(rewritten, `u${n}`)
    const forged = (await rewritten.storage.readers.audit.list({ after: 0, limit: 10 })).items
    const { broken } = await tampered(at, () => [...forged].slice(0, 6))
    expect(broken).toEqual({ sequence: 1, fault: 'changed', until: 6 })
  })

  it('takes no seal that the secret did not make', async () => {
    const at = await withRecords(3)
    const { items } = await at.storage.readers.audit.seals({ after: 0, limit: 9 })
    const seals = items.map((seal) => ({ ...seal, mac: '0'.repeat(64) }))
    const forged = await verifyWith(at, { seals: async () => ({ items: seals, next: undefined }) })
    expect(forged.broken).toEqual({ sequence: 3, fault: 'forged' })
  })

  it('misses a seal between others', async () => {
    const at = await withRecords(1)
    for (const name of ['a', 'b']) {
      await putUser(at, name)
      await at.useCases.sealAudit.execute()
    }
    const { items } = await at.storage.readers.audit.seals({ after: 0, limit: 9 })
    const without = await verifyWith(at, { seals: async () => ({ items: items.toSpliced(1, 1), next: undefined }) })
    expect(without.broken).toEqual({ sequence: 2, fault: 'seal', until: 2 })
  })

  it('misses records and seals that are gone all at once', async () => {
    const at = await withRecords(9)
    const emptied = await verifyWith(at, { list: nothing, seals: nothing })
    expect(emptied).toMatchObject({ records: 0, seals: 0, broken: { sequence: 1, fault: 'cut' } })
  })

  it('misses the newest seal if it is in one place alone', async () => {
    const at = await withRecords(9)
    expect((await verifyWith(at, { seals: nothing })).broken).toEqual({ sequence: 1, fault: 'seal' })
    const without = { seals: nothing, head: async () => undefined }
    expect((await verifyWith(at, without)).broken).toEqual({ sequence: 1, fault: 'seal' })
    expect((await verifyWith(at, { head: async () => undefined })).broken).toEqual({ sequence: 9, fault: 'seal' })
    const old = await at.storage.readers.audit.head()
    await putUser(at, 'another')
    await at.useCases.sealAudit.execute()
    expect((await verifyWith(at, { head: async () => old })).broken).toEqual({ sequence: 10, fault: 'seal' })
    const forged = old && { ...old, mac: '0'.repeat(64) }
    expect((await verifyWith(at, { head: async () => forged })).broken?.fault).toBe('forged')
  })

  it('misses a seal that is gone before another', async () => {
    const at = await withRecords(6)
    await putUser(at, 'another')
    await at.useCases.sealAudit.execute()
    const seals = async () => ({
      items: (await at.storage.readers.audit.seals({ after: 6, limit: 9 })).items,
      next: undefined,
    })
    expect((await verifyWith(at, { seals })).broken).toEqual({ sequence: 1, fault: 'seal', until: 6 })
  })

  it('holds every deletion against the tombstone of its user, and every tombstone against the trail', async () => {
    const at = await withRecords(3, false)
    for (const userId of ['u0', 'u1']) await at.useCases.deleteUser.execute({ userId }, ADMIN)
    expect(await verify(at)).toMatchObject({ records: 5, broken: undefined })
    const { tombstones } = at.storage.readers
    const [u0, u1] = await tombstones.list({ after: undefined, limit: 9 })
    const u2 = u0 && { ...u0, id: 'u2' as UserId }
    const naming = (audit: number) => async () => u1 && { ...u1.tombstone, audit }
    const broken = async (changed: Partial<TombstoneReader>) => (await verifyWith(at, {}, changed)).broken
    const amiss = (sequence: number, user: string) => ({ sequence, fault: 'tombstone', user })
    const once = (...items: (OwnedTombstone | undefined)[]) => ({
      list: async ({ after }: { after: string | undefined }) =>
        items.filter((item) => item !== undefined && (after === undefined || item.id > after)) as OwnedTombstone[],
    })
    expect(await broken({ find: async () => undefined })).toEqual(amiss(4, 'u0'))
    const find = async (id: UserId) => (id === 'u1' ? naming(4)() : tombstones.find(id))
    expect(await broken({ find })).toEqual(amiss(5, 'u1'))
    expect(await broken(once(u0, u1 && { ...u1, tombstone: { ...u1.tombstone, audit: 99 } }))).toEqual(amiss(0, 'u1'))
    expect(await broken(once(u0, u1, u2))).toEqual(amiss(4, 'u2'))
  })

  it('finds a tombstone that has another time than its record, also once the grace is over', async () => {
    const at = openMemoryService({ deleteGrace: 60_000 })
    for (const userId of ['u0', 'u1']) await putUser(at, userId)
    await at.useCases.deleteUser.execute({ userId: 'u0' }, ADMIN)
    at.clock.advance(60_000)
    await at.useCases.deleteUser.execute({ userId: 'u1' }, ADMIN)
    await at.useCases.eraseHeldUsers.execute()
    expect(await verify(at)).toMatchObject({ records: 5, broken: undefined })
    const { tombstones } = at.storage.readers
    const moved = async (stretch: Parameters<TombstoneReader['list']>[0]) =>
      (await tombstones.list(stretch)).map(({ id, tombstone }) => {
        return { id, tombstone: id === 'u1' ? { ...tombstone, deletedAt: tombstone.deletedAt - 1 } : tombstone }
      })
    expect((await verifyWith(at, {}, { list: moved })).broken).toEqual({
      ...{ sequence: 4, fault: 'tombstone', user: 'u1' },
    })
  })

  it('finds nothing amiss with who was restored, and deleted again', async () => {
    const at = openMemoryService({ deleteGrace: 60_000 })
    await putUser(at, 'u')
    for (const _ of [1, 2]) {
      await at.useCases.deleteUser.execute({ userId: 'u' }, ADMIN)
      expect((await verify(at)).broken).toBeUndefined()
      await at.useCases.restoreUser.execute({ userId: 'u' }, ADMIN)
      expect((await verify(at)).broken).toBeUndefined()
    }
    await at.useCases.deleteUser.execute({ userId: 'u' }, ADMIN)
    const { tombstones } = at.storage.readers
    const unrestored = await verifyWith(
      at,
      {},
      { find: async () => undefined, list: (stretch) => tombstones.list(stretch) },
    )
    expect(unrestored.broken).toEqual({ sequence: 6, fault: 'tombstone', user: 'u' })
  })

  it('takes the restoration of a backup for the record of what was deleted after it was made', async () => {
    const at = openMemoryService()
    await at.storage.unitOfWork.run(async ({ audit, tombstones }) => {
      const trail = new AuditTrail(at.clock, at.ports.digests)
      const { id } = await trail.done(audit, ADMIN, { action: 'database.restore' }, 'backup up to record 0')
      const erased = { users: 1, roles: 0, subscriptions: 0, mails: 0, tokens: 0 }
      const tombstone = { deletedAt: 1, audit: id, erasesAt: undefined, erased, subscriptionsKept: 0 }
      await tombstones.put('gone' as UserId, tombstone)
    })
    expect(await verify(at)).toMatchObject({ records: 1, broken: undefined })
  })

  it('holds the trail against a seal that was kept elsewhere', async () => {
    const at = await withRecords(4, false)
    const kept = await at.useCases.sealAudit.execute()
    const text = kept && sealText(kept)
    expect(await verify(at, `${text}\n`)).toMatchObject({ seals: 1, broken: undefined })
    const restored = await withRecords(2)
    expect((await verify(restored, text)).broken).toEqual({ sequence: 3, fault: 'cut' })
    const one = await (await withRecords(1, false)).useCases.sealAudit.execute()
    const rewritten = openMemoryService()
    await putUser(rewritten, 'other')
    expect((await verify(rewritten, one && sealText(one))).broken).toEqual({ sequence: 1, fault: 'changed', until: 1 })
  })

  it('tells a seal that was copied wrongly from a trail that was changed', async () => {
    const at = await withRecords(4, false)
    const text = sealText((await at.useCases.sealAudit.execute()) as AuditSeal)
    const why = async (since: string) => (await verify(at, since).catch((error) => error)).details
    expect(await why(text.slice(1))).toMatchObject([{ message: expect.stringContaining('as the log') }])
    const another = (digit: string) => (digit === '1' ? '2' : '1')
    for (const wrong of [/\d(?=\.)/, /\w(?=\.\d+\.)/, /\d(?=\.\w+$)/, /.$/])
      expect(await why(text.replace(wrong, another))).toEqual([
        { field: 'since', message: expect.stringContaining('Nothing was verified') },
      ])
  })

  it('reports its progress, and stops on request', async () => {
    const at = await withRecords(1_500)
    const reported: number[] = []
    await at.useCases.verifyAudit.execute({ onProgress: (records) => reported.push(records) }, ADMIN)
    expect(reported).toEqual([1_000, 1_500])
    await putUser(at, 'another')
    reported.length = 0
    await at.useCases.verifyAudit.execute({ onProgress: (records) => reported.push(records) }, ADMIN)
    expect(reported).toEqual([1_000, 1_501])
    const stop = { aborted: true }
    expect(await at.useCases.verifyAudit.execute({ stop }, ADMIN)).toMatchObject({ records: 0, interrupted: true })
  })

  it('is for who may read the trail', async () => {
    const at = openMemoryService()
    await expect(at.useCases.verifyAudit.execute({}, NO_ROLES)).rejects.toThrow('Reading the audit trail requires')
  })
})
