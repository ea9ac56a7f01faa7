import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { type Caller, MINUTE, RefusalLog, SECOND, Unavailable } from '../src/index.ts'
import { ADMIN, auditOf, caller, NO_ROLES, putUser, type Service } from './cast.ts'

const service = () => openMemoryService()
const refuse = async ({ useCases }: Service, who: Caller, userId = 'u1', times = 1) => {
  for (let n = 0; n < times; n++) await useCases.deleteUser.execute({ userId }, who).catch(() => undefined)
}
const flushed = async (at: Service) => {
  await at.useCases.refusals.flush()
  return (await auditOf(at)).map(({ actor, action, target, outcome, count }) => [actor, action, target, outcome, count])
}

describe('the log of refusals', () => {
  it('costs the store nothing until it is flushed, then has who was refused what', async () => {
    const at = service()
    await refuse(at, { ...NO_ROLES, tokenId: 'jti', requestId: 'r-1' }, 'u1')
    expect(await auditOf(at)).toEqual([])
    await at.useCases.refusals.flush()
    expect(await auditOf(at)).toMatchObject([
      {
        actor: 'mallory',
        roleSource: 'token',
        tokenId: 'jti',
        channel: 'http',
        requestId: 'r-1',
        action: 'user.delete',
        target: 'u1',
        outcome: 'InsufficientPermissions',
        reason: undefined,
        count: 1,
      },
    ])
    await at.useCases.refusals.flush()
    expect(await auditOf(at)).toHaveLength(1)
  })

  it('has up to ten refusals of a caller one by one', async () => {
    const at = service()
    for (let n = 1; n <= 10; n++) await refuse(at, NO_ROLES, `u${n}`)
    expect((await flushed(at)).map(([, , target, , count]) => [target, count])).toEqual(
      Array.from({ length: 10 }, (_, n) => [`u${n + 1}`, 1]),
    )
  })

  it('makes one record with a count of more than ten, with what they have in common', async () => {
    const at = service()
    await refuse(at, NO_ROLES, 'u1', 25)
    const various = caller('trudy')
    for (let n = 0; n < 11; n++) await refuse(at, { ...various, requestId: `r-${n}`, tokenId: 'same' }, `u${n}`)
    expect(await flushed(at)).toEqual([
      ['mallory', 'user.delete', 'u1', 'InsufficientPermissions', 25],
      ['trudy', 'user.delete', undefined, 'InsufficientPermissions', 11],
    ])
    expect(await auditOf(at)).toMatchObject([{}, { tokenId: 'same', requestId: undefined }])
    for (let n = 0; n < 11; n++) await refuse(at, { ...caller('victor'), tokenId: `fresh-${n}` })
    expect((await flushed(at)).at(-1)?.slice(0, 3)).toEqual(['victor', 'user.delete', 'u1'])
    expect((await auditOf(at)).at(-1)).toMatchObject({ tokenId: undefined, count: 11 })
  })

  it('makes one record a flush of what goes on within the minute, and none is lost', async () => {
    const at = service()
    await refuse(at, NO_ROLES, 'u1', 10)
    expect(await flushed(at)).toHaveLength(10)
    for (let second = 1; second <= 3; second++) {
      at.clock.advance(SECOND)
      await refuse(at, NO_ROLES, 'u1', 100)
      expect((await flushed(at)).at(-1)?.at(-1)).toBe(100)
    }
    expect(await auditOf(at)).toHaveLength(13)
    at.clock.advance(MINUTE)
    await refuse(at, NO_ROLES, 'u1', 2)
    expect(await flushed(at)).toHaveLength(15)
  })

  it('keeps callers, actions and outcomes apart', async () => {
    const at = service()
    await putUser(at, 'last', ['admin'])
    const before = (await auditOf(at)).length
    await refuse(at, NO_ROLES, 'last', 11)
    await refuse(at, caller('trudy'), 'last', 1)
    await refuse(at, ADMIN, 'last', 1)
    await at.useCases.listUsers.execute({}, NO_ROLES).catch(() => undefined)
    await at.useCases.getUser.execute({ userId: 'last' }, NO_ROLES).catch(() => undefined)
    expect((await flushed(at)).slice(before)).toEqual([
      ['mallory', 'user.delete', 'last', 'InsufficientPermissions', 11],
      ['trudy', 'user.delete', 'last', 'InsufficientPermissions', 1],
      ['root', 'user.delete', 'last', 'LastAdministrator', 1],
      ['mallory', 'user.read', undefined, 'InsufficientPermissions', 1],
      ['mallory', 'user.read', 'last', 'UserNotFound', 1],
    ])
  })

  it('holds a bounded number of records, however many callers there are', async () => {
    const at = service()
    for (let n = 0; n < 2_500; n++) await refuse(at, caller(`caller-${n}`), 'u1')
    await at.useCases.refusals.flush()
    const { items } = await at.storage.readers.audit.list({ after: 1_999, limit: 10 })
    expect(items).toMatchObject([{}, { actor: 'many others', count: 500, target: undefined, tokenId: undefined }])
  })

  it('keeps what could not be written, within its bounds, and writes it all later', async () => {
    const at = service()
    let down = true
    const unitOfWork = {
      run: (work: Parameters<typeof at.storage.unitOfWork.run>[0]) =>
        down ? Promise.reject(new Unavailable()) : at.storage.unitOfWork.run(work),
    }
    const log = new RefusalLog(at.clock, unitOfWork as typeof at.storage.unitOfWork)
    let noted = 0
    for (let second = 0; second < 300; second++) {
      for (let n = 0; n < 5; n++, noted++)
        log.note(NO_ROLES, { action: 'user.delete', target: `u${n}` }, 'InsufficientPermissions')
      log.note(caller('once'), { action: 'user.read' }, 'UserNotFound')
      await expect(log.flush()).rejects.toBeInstanceOf(Unavailable)
      at.clock.advance(SECOND)
    }
    down = false
    await log.flush()
    const records = await auditOf(at)
    const total = (actor: string) =>
      records.reduce((sum, record) => sum + (record.actor === actor ? record.count : 0), 0)
    expect([total(NO_ROLES.id), total('once')]).toEqual([noted, 300])
    expect(records.length).toBeLessThanOrEqual(20)
  })

  it('writes many refusals in several units, and what was written is not written again', async () => {
    const at = service()
    for (let n = 0; n < 450; n++) await refuse(at, caller(`caller-${n}`))
    let runs = 0
    const { run } = at.storage.unitOfWork
    const log = at.useCases.refusals
    Object.assign(at.storage.unitOfWork, {
      run: (work: Parameters<typeof run>[0]) => (++runs === 2 ? Promise.reject(new Unavailable()) : run(work)),
    })
    await expect(log.flush()).rejects.toBeInstanceOf(Unavailable)
    await log.flush()
    expect(runs).toBe(4)
    expect((await at.storage.readers.audit.list({ after: 0, limit: 999 })).items).toHaveLength(450)
  })

  it('does not lose a minute over a clock that was set back', async () => {
    const at = service()
    await refuse(at, NO_ROLES, 'u1', 11)
    await flushed(at)
    at.clock.advance(-60 * MINUTE)
    await refuse(at, NO_ROLES, 'u2', 1)
    expect((await flushed(at)).at(-1)).toEqual(['mallory', 'user.delete', 'u2', 'InsufficientPermissions', 1])
  })
})

describe('the trail', () => {
  it('keeps of what callers say only what is legible, and not all of it', async () => {
    const at = service()
    const odd = { ...caller('a\u0000b\ud800ü'), tokenId: 'x'.repeat(1_000), requestId: 'r\n1' }
    await refuse(at, odd, '😀\u202e')
    await flushed(at)
    expect(await auditOf(at)).toMatchObject([
      { actor: 'a?b??', tokenId: 'x'.repeat(255), requestId: 'r?1', target: '???' },
    ])
  })
})
