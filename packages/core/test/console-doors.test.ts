import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { MEMORY_SETTINGS } from '../memory/memory-service.ts'
import {
  createUseCases,
  MINUTE,
  operator,
  Unauthenticated,
  type UserImportReportLine,
  UserNotFound,
  type VerifiedToken,
} from '../src/index.ts'
import { ADMIN, auditOf, putUser, type Service } from './cast.ts'
import { bytesOf, linesOf } from './transfers.ts'

const OPS = operator('ops')

interface Claims {
  readonly subject?: string
  readonly roles?: readonly string[]
  readonly feeds?: readonly string[]
}

/** As an identity provider would issue it: whatever it says. */
const tokenOf = async ({ tokens }: Service, { subject = 'ada', roles = [], feeds }: Claims) =>
  (await tokens.issue({ subject, roles, feeds, lifetime: 3_600 })).token
const overHttp = ({ useCases }: Service, token: string) => useCases.authenticate.execute({ token, channel: 'http' })
const logIn = ({ useCases }: Service, token: string, subject = 'ada') =>
  useCases.beginConsoleSession.execute({ token, subject, requestId: 'r-1' })
const logInAs = async (at: Service, claims: Claims) => logIn(at, await tokenOf(at, claims), claims.subject)
const resume = ({ useCases }: Service, secret: string) => useCases.resumeConsoleSession.execute({ secret })
const refused = (work: Promise<unknown>) => expect(work).rejects.toThrow(Unauthenticated)
const withRoot = async () => {
  const at = openMemoryService()
  await putUser(at, 'root', ['admin'])
  return at
}
const suspendedAndResumed = async ({ useCases }: Service, userId: string) => {
  await useCases.suspendUser.execute({ userId }, ADMIN)
  await useCases.resumeUser.execute({ userId }, ADMIN)
}

describe('a login by an identity provider', () => {
  it('is refused while it is bound to feeds', async () => {
    const at = openMemoryService()
    const claims = { roles: ['sender'], feeds: ['weekly'] }
    expect(await overHttp(at, await tokenOf(at, claims))).toMatchObject({ feeds: claims.feeds })
    await refused(logInAs(at, claims))
    expect((await at.storage.readers.consoleSessions.list({ after: 0, limit: 9 })).items).toEqual([])
  })

  it('ends once it is bound: the feeds of its token are not forgotten', async () => {
    const at = await withRoot()
    await putUser(at, 'ada', ['admin'])
    const { secret } = await logInAs(at, { roles: ['sender'], feeds: ['weekly'] })
    expect((await resume(at, secret)).caller.roles).toEqual(['admin'])
    await putUser(at, 'ada', ['auditor'])
    expect((await at.useCases.listConsoleSessions.execute({}, ADMIN)).items).toEqual([])
    await refused(resume(at, secret))
  })

  it('ends once its token is revoked', async () => {
    const at = openMemoryService()
    const { token, tokenId } = await at.tokens.issue({ subject: 'ada', roles: ['admin'], lifetime: 3_600 })
    const { secret } = await logIn(at, token)
    await at.useCases.revokeToken.execute({ tokenId }, ADMIN)
    await refused(resume(at, secret))
    await refused(logIn(at, token))
  })

  it('is refused after a suspension where its token does not say when it was issued, as over HTTP', async () => {
    const at = await withRoot()
    await putUser(at, 'ada', ['admin'])
    const verified: VerifiedToken = { subject: 'ada', roles: [], tokenId: undefined }
    const { authenticate, beginConsoleSession } = createUseCases(
      { ...at.ports, verifier: { verify: async () => verified } },
      MEMORY_SETTINGS,
    )
    await beginConsoleSession.execute({ token: 'any', subject: 'ada' })
    await suspendedAndResumed(at, 'ada')
    at.clock.advance(MINUTE)
    await refused(authenticate.execute({ token: 'any', channel: 'http' }))
    await refused(beginConsoleSession.execute({ token: 'any', subject: 'ada' }))
  })
})

describe('a login link', () => {
  const linkFor = async ({ useCases }: Service, subject?: string) =>
    (await useCases.issueLoginLink.execute({ subject }, OPS)).secret
  const redeem = ({ useCases }: Service, link: string) =>
    useCases.beginConsoleSession.execute({ link, requestId: 'r-1' })

  it('of before a suspension is not good after it', async () => {
    const at = await withRoot()
    await putUser(at, 'ada', ['admin'])
    const before = await linkFor(at, 'ada')
    at.clock.advance(1)
    await suspendedAndResumed(at, 'ada')
    at.clock.advance(1)
    const after = await linkFor(at, 'ada')
    await refused(redeem(at, before))
    expect((await redeem(at, after)).caller.id).toBe('ada')
    await at.useCases.suspendUser.execute({ userId: 'ada' }, ADMIN)
    await expect(linkFor(at, 'ada')).rejects.toMatchObject({ details: [{ field: 'subject' }] })
  })

  it('lets its session live no longer than a suspension, however late it was used', async () => {
    const at = await withRoot()
    await putUser(at, 'ada', ['admin'])
    const link = await linkFor(at, 'ada')
    at.clock.advance(1)
    const { secret, session } = await redeem(at, link)
    expect(session.issuedAt).toBe(at.clock.now() - 1)
    await suspendedAndResumed(at, 'ada')
    await refused(resume(at, secret))
  })

  it('of another release is not good, and neither is its session: it does not say which door it opens', async () => {
    const at = openMemoryService()
    const { session, secret } = await redeem(at, await linkFor(at))
    await at.storage.unitOfWork.run(async ({ consoleSessions, loginLinks }) => {
      await consoleSessions.remove(session.id)
      await consoleSessions.add({ ...session, door: '' as never })
      const secretHash = at.ports.digests.sha256('old')
      await loginLinks.add({
        secretHash,
        subject: 'operator:ops',
        door: '' as never,
        issuedAt: 0,
        expiresAt: at.clock.now() + 1,
      })
    })
    await refused(resume(at, secret))
    await refused(redeem(at, 'old'))
  })
})

describe('a login that is refused', () => {
  const refusals = async (at: Service) => {
    await at.useCases.refusals.flush()
    return (await auditOf(at)).filter(({ action, outcome }) => action === 'session.begin' && outcome !== 'done')
  }

  it('is on record: who it was for where that is known, and nothing else of it', async () => {
    const at = await withRoot()
    await putUser(at, 'ada', ['admin'])
    const { secret } = await at.useCases.issueLoginLink.execute({ subject: 'ada' }, OPS)
    await at.useCases.suspendUser.execute({ userId: 'ada' }, ADMIN)
    await refused(at.useCases.beginConsoleSession.execute({ link: secret, requestId: 'r-1' }))
    await refused(at.useCases.beginConsoleSession.execute({ link: 'f'.repeat(64), requestId: 'r-2' }))
    await refused(logInAs(at, { subject: 'operator:root' }))
    await refused(logInAs(at, { subject: 'Jane Doe' }))
    await refused(logIn(at, 'not a token', 'jane'))
    await refused(logIn(at, await tokenOf(at, {}), 'bob'))
    const common = { roleSource: 'token', channel: 'console', tokenId: undefined, outcome: 'Unauthenticated', count: 1 }
    const found = await refusals(at)
    for (const record of found) expect(record).toMatchObject(common)
    expect(found.map(({ actor, target, requestId }) => [actor, target, requestId])).toEqual([
      ['not logged in', 'ada', 'r-1'],
      ['not logged in', undefined, 'r-2'],
      ...Array.from({ length: 4 }, () => ['not logged in', undefined, 'r-1']),
    ])
    const kept = JSON.stringify(found)
    for (const text of [secret, 'f'.repeat(64), 'jane', 'Jane']) expect(kept).not.toContain(text)
  })

  it('is one record with a count once there are many', async () => {
    const at = openMemoryService()
    for (let n = 0; n < 300; n++) await refused(at.useCases.beginConsoleSession.execute({ link: `guess ${n}` }))
    expect((await refusals(at)).map(({ count }) => count)).toEqual([300])
  })

  it('is no refusal where the core could not decide', async () => {
    const at = openMemoryService()
    const { beginConsoleSession, refusals: log } = createUseCases(
      { ...at.ports, unitOfWork: { run: () => Promise.reject(new RangeError('away')) } },
      MEMORY_SETTINGS,
    )
    await expect(beginConsoleSession.execute({ link: 'any' })).rejects.toThrow(RangeError)
    await log.flush()
  })
})

describe('the name of an operator', () => {
  const NAMES = ['operator:root', 'Operator:root', 'operator:']

  it('is no id of a user by any way that users come in, and no subject of a token or a link', async () => {
    const at = await withRoot()
    const { useCases } = at
    for (const id of NAMES) {
      await expect(putUser(at, id, ['admin'])).rejects.toThrow("Correct 'id'")
      await expect(useCases.issueToken.execute({ subject: id, roles: ['admin'], lifetime: 60 }, OPS)).rejects.toThrow(
        "Correct 'subject'",
      )
      await expect(useCases.issueLoginLink.execute({ subject: id }, OPS)).rejects.toThrow("Correct 'subject'")
      for (const execute of [useCases.patchUser, useCases.suspendUser, useCases.restoreUser, useCases.deleteUser])
        await expect(execute.execute({ userId: id }, OPS)).rejects.toThrow(UserNotFound)
    }
    const rows = NAMES.map((id, n) => ({ id, email: `a${n}@example.com`, roles: ['admin'] }))
    const report = await useCases.importUsers.execute({ format: 'ndjson', body: bytesOf(linesOf(rows)) }, OPS)
    const lines: UserImportReportLine[] = []
    for await (const line of report) lines.push(line)
    expect(lines).toEqual([
      ...NAMES.map((_, n) => expect.objectContaining({ line: n + 1, error: 'InvalidInput' })),
      expect.objectContaining({ imported: 0, refused: NAMES.length }),
    ])
    expect((await at.storage.readers.users.list({ after: 0, limit: 9 })).items.map(({ id }) => id)).toEqual(['root'])
  })

  it('makes no operator of a user that a host keeps under it', async () => {
    const at = openMemoryService()
    const accountStatus = async () => ({ roles: ['admin'] })
    const users = { ...at.ports.readers.users, accountStatus }
    const { authenticate } = createUseCases({ ...at.ports, readers: { ...at.ports.readers, users } }, MEMORY_SETTINGS)
    for (const subject of NAMES)
      await refused(authenticate.execute({ token: await tokenOf(at, { subject }), channel: 'http' }))
  })

  it('opens no door by a link either, that another than an operator asked for', async () => {
    const at = openMemoryService()
    const host = { id: 'operator:root', roles: ['admin'], roleSource: 'token', channel: 'library' } as const
    await expect(at.useCases.issueLoginLink.execute({}, host)).rejects.toThrow("Correct 'subject'")
  })
})
