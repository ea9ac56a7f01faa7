import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { type AuditReader, type AuditRecord, checkpointText, type Page, VerifyAuditUseCase } from '../src/index.ts'
import { ADMIN, AUDITOR, NOBODY, putUser, type Service } from './cast.ts'

const withRecords = async (count: number, sealed = true): Promise<Service> => {
  const at = openMemoryService()
  for (let n = 0; n < count; n++) await putUser(at, `u${n}`)
  if (sealed) await at.useCases.sealAudit.execute()
  return at
}
const verify = ({ useCases }: Service, against?: string) => useCases.verifyAudit.execute({ against }, AUDITOR)

/** The same trail, as it would be read from a store that somebody changed. */
const tampered = (at: Service, change: (records: AuditRecord[]) => AuditRecord[]) => {
  const { audit } = at.storage.readers
  const whole = async <T>(page: Promise<Page<T>>) => (await page).items
  const reader: AuditReader = {
    checkpoints: (stretch) => audit.checkpoints(stretch),
    list: async ({ after, limit }) => {
      const records = change([...(await whole(audit.list({ after: 0, limit: 10_000 })))])
      const items = records.filter(({ sequence }) => sequence > after).slice(0, limit)
      return { items, next: undefined }
    },
  }
  const { digests } = at.ports
  return new VerifyAuditUseCase({ access: at.useCases.access, audit: reader, digests }).execute({}, ADMIN)
}

describe('verifying the audit trail', () => {
  it('finds that an untouched trail holds, be it empty', async () => {
    expect(await verify(openMemoryService())).toEqual({ records: 0, checkpoints: 0, broken: undefined })
    expect(await verify(await withRecords(5))).toEqual({ records: 5, checkpoints: 1, broken: undefined })
    expect(await verify(await withRecords(5, false))).toEqual({ records: 5, checkpoints: 0, broken: undefined })
  })

  it('seals the trail every 1000 records without being asked, and once more only for what is new', async () => {
    const at = await withRecords(1_001)
    expect(await verify(at)).toEqual({ records: 1_001, checkpoints: 2, broken: undefined })
    expect(await at.useCases.sealAudit.execute()).toBeUndefined()
    await putUser(at, 'another')
    expect(await at.useCases.sealAudit.execute()).toMatchObject({ sequence: 1_002 })
    expect((await verify(at)).checkpoints).toBe(3)
  })

  it('names the first record that was changed', async () => {
    const at = await withRecords(9)
    const changed = await tampered(at, (records) => records.with(3, { ...(records[3] as AuditRecord), actor: 'other' }))
    expect(changed).toMatchObject({ records: 3, broken: { sequence: 4, fault: 'changed' } })
  })

  it('names the first record that is missing', async () => {
    const at = await withRecords(9)
    const removed = await tampered(at, (records) => records.toSpliced(4, 1))
    expect(removed.broken).toEqual({ sequence: 5, fault: 'changed' })
  })

  it('finds a tail that was cut after a checkpoint was made', async () => {
    const at = await withRecords(9)
    expect((await tampered(at, (records) => records.slice(0, 6))).broken).toEqual({ sequence: 7, fault: 'cut' })
    expect((await tampered(at, () => [])).broken).toEqual({ sequence: 1, fault: 'cut' })
  })

  it('finds a chain that holds but was written anew, by its seal', async () => {
    const at = await withRecords(6)
    const other = await withRecords(6, false)
    other.clock.advance(1)
    await putUser(other, 'extra')
    const { items } = await other.storage.readers.audit.list({ after: 0, limit: 10 })
    const rewritten = openMemoryService()
    rewritten.clock.advance(5)
    for (let n = 0; n < 6; n++) await putUser(rewritten, `u${n}`)
    const forged = (await rewritten.storage.readers.audit.list({ after: 0, limit: 10 })).items
    expect(items).toHaveLength(7)
    expect((await tampered(at, () => [...forged])).broken).toEqual({ sequence: 6, fault: 'changed' })
  })

  it('takes no seal that the secret did not make', async () => {
    const at = await withRecords(3, false)
    await at.storage.unitOfWork.run(async ({ audit }) => {
      const last = (await audit.last()) as AuditRecord
      await audit.addCheckpoint({ sequence: last.sequence, hash: last.hash, at: 0, seal: '0'.repeat(64) })
    })
    expect((await verify(at)).broken).toEqual({ sequence: 3, fault: 'forged' })
  })

  it('misses a seal that every thousandth record has', async () => {
    const at = await withRecords(1_000, false)
    const { audit } = at.storage.readers
    const reader: AuditReader = {
      list: (stretch) => audit.list(stretch),
      checkpoints: async () => ({ items: [], next: undefined }),
    }
    const { digests } = at.ports
    const without = new VerifyAuditUseCase({ access: at.useCases.access, audit: reader, digests })
    expect((await without.execute({}, ADMIN)).broken).toEqual({ sequence: 1_000, fault: 'unsealed' })
  })

  it('holds the trail against a checkpoint that was kept elsewhere', async () => {
    const at = await withRecords(4, false)
    const kept = await at.useCases.sealAudit.execute()
    const text = kept && checkpointText(kept)
    expect(await verify(at, `${text}\n`)).toMatchObject({ checkpoints: 2, broken: undefined })
    const restored = await withRecords(2)
    expect((await verify(restored, text)).broken).toEqual({ sequence: 3, fault: 'cut' })
    expect((await verify(at, text?.replace(/.$/, '0').replace(/\.(\d+)\.(\w+)$/, '.1.$2'))).broken?.fault).toBe(
      'forged',
    )
    await expect(verify(at, 'nonsense')).rejects.toThrow("Correct 'against'")
  })

  it('tells how far it is, and stops when told to', async () => {
    const at = await withRecords(1_500)
    const told: number[] = []
    await at.useCases.verifyAudit.execute({ onProgress: (records) => told.push(records) }, ADMIN)
    expect(told).toEqual([1_000, 1_500])
    const stop = { aborted: true }
    expect((await at.useCases.verifyAudit.execute({ stop }, ADMIN)).records).toBe(0)
  })

  it('is for who may read the trail', async () => {
    const at = openMemoryService()
    await expect(at.useCases.verifyAudit.execute({}, NOBODY)).rejects.toThrow('Reading the audit trail requires')
  })
})
