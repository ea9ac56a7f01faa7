import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { HOUR, MINUTE, SECOND, Unavailable } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, caller, NO_ROLES, type Service, subscribe } from './cast.ts'

const service = () => openMemoryService()
const read = async ({ useCases }: Service, who = AUDITOR, times = 1) => {
  for (let n = 0; n < times; n++) await useCases.listUsers.execute({}, who)
}
const flushed = async (at: Service, options = {}) => {
  await at.useCases.reads.flush(options)
  return (await auditOf(at)).map(({ actor, action, count }) => [actor, action, count])
}

describe('the log of reads', () => {
  it('has the lists of users, subscriptions and suppressions, without what was looked for', async () => {
    const at = service()
    await subscribe(at, 'ada@example.com')
    const who = { ...AUDITOR, tokenId: 'jti', requestId: 'r-1' }
    await at.useCases.listUsers.execute({ query: 'ada@example.com' }, who)
    await at.useCases.listSubscriptions.execute({ email: 'ada@example.com' }, who)
    await at.useCases.listSuppressions.execute({}, who)
    expect(await auditOf(at)).toEqual([])
    await at.useCases.reads.flush()
    const common = { actor: 'eve', outcome: 'done', target: undefined, reason: undefined, count: 1 }
    expect(await auditOf(at)).toMatchObject([
      { ...common, action: 'user.read', tokenId: 'jti', requestId: 'r-1', channel: 'http' },
      { ...common, action: 'subscription.read' },
      { ...common, action: 'suppression.read' },
    ])
    expect(JSON.stringify(await auditOf(at))).not.toContain('example.com')
  })

  it('does not have what was refused or invalid, nor who reads the trail', async () => {
    const at = service()
    await expect(read(at, NO_ROLES)).rejects.toThrow('requires')
    await expect(at.useCases.listUsers.execute({ role: 'none' }, AUDITOR)).rejects.toThrow("Correct 'role'")
    await expect(at.useCases.listSubscriptions.execute({ feed: 'none' }, AUDITOR)).rejects.toThrow()
    await at.useCases.listAudit.execute({}, AUDITOR)
    expect(await flushed(at, { all: true })).toEqual([])
  })

  it('has the first read at once, then every hour how many there were', async () => {
    const at = service()
    await read(at)
    expect(await flushed(at)).toEqual([['eve', 'user.read', 1]])
    for (let n = 0; n < 3; n++) {
      at.clock.advance(10 * MINUTE)
      await read(at, AUDITOR, 50)
      expect(await flushed(at)).toHaveLength(1)
    }
    at.clock.advance(30 * MINUTE)
    expect((await flushed(at)).slice(1)).toEqual([['eve', 'user.read', 150]])
    expect((await auditOf(at)).at(-1)?.at).toBe(at.clock.now())
    at.clock.advance(HOUR - SECOND)
    await read(at, AUDITOR, 2)
    expect(await flushed(at)).toHaveLength(2)
    at.clock.advance(SECOND)
    expect((await flushed(at)).slice(2)).toEqual([['eve', 'user.read', 2]])
  })

  it('begins anew with who was not there for an hour, and writes all at the end', async () => {
    const at = service()
    await read(at)
    await flushed(at)
    at.clock.advance(HOUR)
    await flushed(at)
    await read(at)
    expect(await flushed(at)).toHaveLength(2)
    await read(at)
    expect(await flushed(at)).toHaveLength(2)
    expect((await flushed(at, { all: true })).slice(2)).toEqual([['eve', 'user.read', 1]])
    expect(await flushed(at, { all: true })).toHaveLength(3)
  })

  it('keeps callers and lists apart, and what their reads have in common', async () => {
    const at = service()
    for (const requestId of ['r-1', 'r-2']) await read(at, { ...ADMIN, tokenId: 'jti', requestId })
    await at.useCases.listSuppressions.execute({}, ADMIN)
    await read(at)
    expect(await flushed(at)).toEqual([
      ['root', 'user.read', 2],
      ['root', 'suppression.read', 1],
      ['eve', 'user.read', 1],
    ])
    expect((await auditOf(at))[0]).toMatchObject({ tokenId: 'jti', requestId: undefined })
  })

  it('is bounded, however many callers there are', async () => {
    const at = service()
    for (let n = 0; n < 2_010; n++) await read(at, caller(`reader-${n}`, 'auditor'))
    await at.useCases.reads.flush()
    const records = (await at.storage.readers.audit.list({ after: 1_999, limit: 100 })).items
    expect(records.map(({ actor, count }) => [actor, count])).toEqual([
      ['reader-1999', 1],
      ['many others', 10],
    ])
  })

  it('loses nothing, and holds up no read, where the store is down', async () => {
    const at = service()
    await read(at)
    await flushed(at)
    const { run } = at.storage.unitOfWork
    Object.assign(at.storage.unitOfWork, { run: () => Promise.reject(new Unavailable()) })
    await read(at, AUDITOR, 3)
    await read(at, ADMIN)
    await expect(at.useCases.reads.flush({ all: true })).rejects.toBeInstanceOf(Unavailable)
    await read(at)
    Object.assign(at.storage.unitOfWork, { run })
    expect((await flushed(at)).slice(1)).toEqual([
      ['eve', 'user.read', 4],
      ['root', 'user.read', 1],
    ])
  })
})
