import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { MEMORY_SETTINGS } from '../memory/memory-service.ts'
import {
  createUseCases,
  DAY,
  FeedNotFound,
  HOUR,
  InsufficientPermissions,
  type IssueTokenCommand,
  MINUTE,
  operator,
  SECOND,
  TokenNotFound,
  Unavailable,
} from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, caller, NO_ROLES, putUser, type Service } from './cast.ts'

const SENDER = { subject: 'mailer', roles: ['sender'], lifetime: 3_600 }

const withWeekly = async () => {
  const at = openMemoryService()
  await at.useCases.putFeed.execute({ name: 'weekly' }, ADMIN)
  return at
}
const issue = ({ useCases }: Pick<Service, 'useCases'>, more: Partial<IssueTokenCommand> = {}, who = ADMIN) =>
  useCases.issueToken.execute({ ...SENDER, ...more }, who)
const listed = async ({ useCases }: Service, subject?: string) =>
  (await useCases.listTokens.execute({ subject }, ADMIN)).items
const revoke = ({ useCases }: Pick<Service, 'useCases'>, tokenId: string, who = ADMIN) =>
  useCases.revokeToken.execute({ tokenId }, who)
const callerOf = ({ useCases }: Service, token: string) => useCases.authenticate.execute({ token, channel: 'http' })

describe('an issued token', () => {
  it('is listed with everything but itself, oldest first', async () => {
    const at = await withWeekly()
    const first = await issue(at, { feeds: ['weekly'], label: 'listmonk on web-2' }, operator('ops'))
    at.clock.advance(1_500)
    await issue(at, { subject: 'ops', roles: ['auditor', 'admin'] })
    const [bound, other] = await listed(at)
    const issuedAt = at.clock.now() - 1_500
    expect(bound).toEqual({
      ...{ tokenId: first.tokenId, subject: 'mailer', roles: ['sender'], feeds: ['weekly'] },
      ...{ label: 'listmonk on web-2', issuedBy: 'operator:ops', issuedAt, expiresAt: issuedAt + HOUR },
      ...{ lastUsedAt: undefined, revokedAt: undefined },
    })
    expect(other).toMatchObject({ subject: 'ops', roles: ['admin', 'auditor'], feeds: undefined, label: '' })
    expect(JSON.stringify([bound, await auditOf(at)])).not.toContain(first.token)
    expect(await listed(at, 'ops')).toEqual([other])
  })

  it('is recorded with its feeds, and without its label', async () => {
    const at = await withWeekly()
    await at.useCases.putFeed.execute({ name: 'daily' }, ADMIN)
    const { tokenId } = await issue(at, { feeds: ['weekly', 'daily', 'weekly'], label: 'secret place' })
    const record = (await auditOf(at)).at(-1)
    expect(record).toMatchObject({ action: 'token.issue', target: 'mailer', outcome: 'done' })
    expect(record?.reason).toBe(`token ${tokenId} for feeds daily, weekly`)
    const { tokenId: one } = await issue(at, { feeds: ['weekly'] })
    expect((await auditOf(at)).at(-1)?.reason).toBe(`token ${one} for feed weekly`)
    const { tokenId: unbound } = await issue(at)
    expect((await auditOf(at)).at(-1)?.reason).toBe(`token ${unbound}`)
    expect(JSON.stringify(await auditOf(at))).not.toContain('secret place')
  })

  it('is bound to feeds with the role of a sender alone', async () => {
    const at = await withWeekly()
    const problem = (message: unknown) => ({ details: [{ field: 'feed', message }] })
    const onlySender = problem("Only a token with the role 'sender' and no other is bound to feeds.")
    for (const roles of [[], ['admin'], ['sender', 'auditor'], ['admin', 'sender']])
      await expect(issue(at, { roles, feeds: ['weekly'] })).rejects.toMatchObject(onlySender)
    const many = (length: number) => Array.from({ length }, (_, n) => `f${n}`)
    for (const feeds of [[], many(21)])
      await expect(issue(at, { feeds })).rejects.toMatchObject(problem('Name 1 to 20 feeds.'))
    await expect(issue(at, { feeds: ['Not A Name'] })).rejects.toMatchObject(problem(expect.any(String)))
    for (const feeds of [['weekly', 'unheard-of'], many(20)])
      await expect(issue(at, { feeds })).rejects.toBeInstanceOf(FeedNotFound)
    expect(await listed(at)).toEqual([])
  })

  it('is not bound where its subject is a user with other roles, which would count', async () => {
    const at = await withWeekly()
    await putUser(at, 'root', ['admin'])
    await putUser(at, 'ada', ['auditor', 'sender'])
    await putUser(at, 'mailer', ['sender'])
    for (const subject of ['root', 'ada'])
      await expect(issue(at, { subject, feeds: ['weekly'] })).rejects.toThrow("Correct 'subject'")
    await issue(at, { feeds: ['weekly'] })
  })

  it('has a label that does not name its user', async () => {
    const at = openMemoryService()
    await putUser(at, 'mailer', ['sender'], 'Ada Lovelace')
    for (const label of ['for ADA  lovelace', 'mailer.mail@example.com', 'x'.repeat(101), 'two\nlines'])
      await expect(issue(at, { label })).rejects.toThrow("Correct 'label'")
    await issue(at, { label: 'x'.repeat(100) })
    await issue(at, { subject: 'another', label: 'for Ada Lovelace' })
    expect(await listed(at)).toHaveLength(2)
  })

  it('is not for who is suspended, and after that only for the time after it', async () => {
    const at = openMemoryService()
    await putUser(at, 'mailer', ['sender'])
    await at.useCases.suspendUser.execute({ userId: 'mailer' }, ADMIN)
    await expect(issue(at)).rejects.toMatchObject({ name: 'UserSuspended' })
    await at.useCases.resumeUser.execute({ userId: 'mailer' }, ADMIN)
    const { tokensNotBefore = 0 } = await at.useCases.getUser.execute({ userId: 'mailer' }, ADMIN)
    await issue(at)
    expect((await listed(at))[0]?.issuedAt).toBe(Math.floor(tokensNotBefore / SECOND) * SECOND + SECOND)
  })

  it('lives from one second to 400 days', async () => {
    const at = openMemoryService()
    const problem = { details: [{ field: 'ttl', message: 'Give a lifetime from 1s to 400d.' }] }
    for (const lifetime of [0, -1, 1.5, Number.NaN, 400 * 86_400 + 1])
      await expect(issue(at, { lifetime })).rejects.toMatchObject(problem)
    for (const lifetime of [1, 400 * 86_400]) await issue(at, { lifetime })
  })

  it('says when it was used, to the hour, with the next flush and not before', async () => {
    const at = openMemoryService()
    const { token } = await issue(at, { lifetime: 30 * 3_600 })
    await issue(at, { subject: 'another' })
    const usedAt = async () => (await listed(at)).map(({ lastUsedAt }) => lastUsedAt)
    at.clock.advance(25 * MINUTE)
    await callerOf(at, token)
    expect(await usedAt()).toEqual([undefined, undefined])
    await at.useCases.uses.flush()
    const hour = at.clock.now() - (at.clock.now() % HOUR)
    expect(await usedAt()).toEqual([hour, undefined])
    at.clock.advance(HOUR)
    await callerOf(at, token)
    await at.useCases.uses.flush()
    expect(await usedAt()).toEqual([hour + HOUR, undefined])
  })

  it('says of a stored user on which day it was seen, with the next flush', async () => {
    const at = openMemoryService()
    await putUser(at, 'ada', ['auditor'])
    const { token } = await issue(at, { subject: 'ada' })
    const seen = async () => (await at.useCases.getUser.execute({ userId: 'ada' }, ADMIN)).lastSeenAt
    at.clock.advance(25 * MINUTE)
    await callerOf(at, token)
    expect(await seen()).toBeUndefined()
    await at.useCases.uses.flush()
    expect(await seen()).toBe(at.clock.now() - (at.clock.now() % DAY))
  })

  it('is written once an hour, however often it is used', async () => {
    const at = openMemoryService()
    const { token } = await issue(at)
    let units = 0
    const unitOfWork: typeof at.ports.unitOfWork = {
      run: (work) => {
        units++
        return at.ports.unitOfWork.run(work)
      },
    }
    const { authenticate, uses } = createUseCases({ ...at.ports, unitOfWork }, MEMORY_SETTINGS)
    for (let n = 0; n < 50; n++) {
      await authenticate.execute({ token, channel: 'http' })
      await uses.flush()
    }
    expect(units).toBe(1)
  })

  it('is written by a later flush where storage was away', async () => {
    const at = openMemoryService()
    const { token } = await issue(at)
    let away = true
    const unitOfWork: typeof at.ports.unitOfWork = {
      run: async (work) => {
        if (away) throw new Unavailable()
        return await at.ports.unitOfWork.run(work)
      },
    }
    const { authenticate, uses } = createUseCases({ ...at.ports, unitOfWork }, MEMORY_SETTINGS)
    await authenticate.execute({ token, channel: 'http' })
    await expect(uses.flush()).rejects.toBeInstanceOf(Unavailable)
    away = false
    await uses.flush()
    expect((await listed(at))[0]?.lastUsedAt).toBeDefined()
  })

  it('goes with its user, and stays refused; the receipt and the export say how many there were', async () => {
    const at = openMemoryService()
    await putUser(at, 'mailer', ['sender'])
    const [one, other] = [await issue(at), await issue(at)]
    await issue(at, { subject: 'another' })
    const { tokens } = await at.useCases.exportUser.execute({ userId: 'mailer' }, ADMIN)
    const exported: unknown[] = []
    for await (const token of tokens) exported.push(token)
    expect(exported).toEqual(await listed(at, 'mailer'))
    expect(exported).toHaveLength(2)
    await revoke(at, one.tokenId)
    await at.useCases.deleteUser.execute({ userId: 'mailer' }, ADMIN)
    expect((await listed(at)).map(({ subject }) => subject)).toEqual(['another'])
    for (const { token } of [one, other]) await expect(callerOf(at, token)).rejects.toThrow('deleted')
    const receipt = await at.useCases.getErasureReceipt.execute({ userId: 'mailer' }, ADMIN)
    expect(receipt.tombstone.erased).toMatchObject({ users: 1, tokens: 2 })
  })

  it('goes at once where its user may still be restored, and stays refused after that', async () => {
    const at = openMemoryService({ deleteGrace: DAY })
    await putUser(at, 'mailer', ['sender'])
    const { token } = await issue(at)
    await at.useCases.deleteUser.execute({ userId: 'mailer' }, ADMIN)
    expect(await listed(at)).toEqual([])
    const erased = async () =>
      (await at.useCases.getErasureReceipt.execute({ userId: 'mailer' }, ADMIN)).tombstone.erased
    expect(await erased()).toMatchObject({ users: 0, tokens: 1 })
    at.clock.advance(DAY)
    await at.useCases.eraseHeldUsers.execute()
    expect(await erased()).toMatchObject({ users: 1, tokens: 1 })
    await expect(callerOf(at, token)).rejects.toThrow()
  })

  it('is listed for 30 days after it expired', async () => {
    const at = openMemoryService()
    await issue(at)
    at.clock.advance(HOUR + 30 * DAY)
    expect(await at.useCases.pruneTokens.execute()).toEqual({ count: 0, more: false })
    at.clock.advance(1)
    expect(await at.useCases.pruneTokens.execute()).toEqual({ count: 1, more: false })
    expect(await listed(at)).toEqual([])
  })

  it('is listed as revoked once its key was', async () => {
    const at = openMemoryService()
    const { token } = await issue(at)
    at.clock.advance(1_000)
    await at.useCases.rotateKeys.execute({ revoke: false }, ADMIN)
    expect((await listed(at))[0]?.revokedAt).toBeUndefined()
    await at.useCases.rotateKeys.execute({ revoke: true }, ADMIN)
    expect((await listed(at))[0]?.revokedAt).toBe(at.clock.now())
    await expect(callerOf(at, token)).rejects.toThrow('not valid')
    await issue(at)
    expect((await listed(at))[1]?.revokedAt).toBeUndefined()
  })
})

describe('the list of tokens', () => {
  it('is for administrators, and who reads it is on record', async () => {
    const at = openMemoryService()
    for (const who of [AUDITOR, NO_ROLES, caller('mailer', 'sender')])
      await expect(at.useCases.listTokens.execute({}, who)).rejects.toBeInstanceOf(InsufficientPermissions)
    await listed(at)
    await at.useCases.reads.flush()
    expect((await auditOf(at)).at(-1)).toMatchObject({ actor: 'root', action: 'token.read', outcome: 'done' })
  })
})

describe('revoking a token', () => {
  it('refuses it from then on, and no other; again is no error and keeps the time', async () => {
    const at = openMemoryService()
    const [stolen, good] = [await issue(at), await issue(at)]
    await callerOf(at, stolen.token)
    await revoke(at, stolen.tokenId)
    const error = await callerOf(at, stolen.token).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'Unauthenticated', tokenRefused: true, failedCheck: 'revoked' })
    await callerOf(at, good.token)
    const [before] = await listed(at)
    expect(before?.revokedAt).toBe(at.clock.now())
    at.clock.advance(MINUTE)
    await revoke(at, stolen.tokenId)
    expect((await listed(at))[0]).toEqual(before)
    expect((await auditOf(at)).at(-1)).toMatchObject({
      action: 'token.revoke',
      target: stolen.tokenId,
      reason: 'subject mailer',
      outcome: 'done',
    })
  })

  it('refuses one that is not listed, for as long as one of ours can live', async () => {
    const at = openMemoryService()
    const { token, tokenId } = await at.tokens.issue({ ...SENDER, lifetime: 400 * 86_400 })
    await revoke(at, tokenId)
    expect(await listed(at)).toEqual([])
    at.clock.advance(400 * DAY - 1)
    await at.useCases.pruneTokens.execute()
    await expect(callerOf(at, token)).rejects.toThrow('revoked')
    at.clock.advance(2 * DAY)
    expect(await at.useCases.pruneTokens.execute()).toMatchObject({ count: 1 })
  })

  it('is for administrators, and only for what can be the id of a token', async () => {
    const at = openMemoryService()
    const { token, tokenId } = await issue(at)
    for (const who of [AUDITOR, NO_ROLES, caller('mailer', 'sender')])
      await expect(revoke(at, tokenId, who)).rejects.toBeInstanceOf(InsufficientPermissions)
    for (const id of ['', 'two words', 'ä', 'x'.repeat(256)])
      await expect(revoke(at, id)).rejects.toBeInstanceOf(TokenNotFound)
    await callerOf(at, token)
    await revoke(at, 'jane@example.com')
    expect((await auditOf(at)).at(-1)).toMatchObject({ action: 'token.revoke', target: '<address>' })
  })
})
