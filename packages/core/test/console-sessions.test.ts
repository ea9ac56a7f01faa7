import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { MEMORY_SETTINGS } from '../memory/memory-service.ts'
import {
  createUseCases,
  DAY,
  HOUR,
  IDLE_LIMIT,
  InsufficientPermissions,
  MINUTE,
  operator,
  Unauthenticated,
  UserDeleted,
} from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, NO_ROLES, putUser, type Service } from './cast.ts'

const OPS = operator('ops')
const link = async ({ useCases }: Service, subject?: string) =>
  (await useCases.issueLoginLink.execute({ subject }, OPS)).secret
const begin = async (at: Service, subject?: string, previous?: string) =>
  await at.useCases.beginConsoleSession.execute({ link: await link(at, subject), previous })
const resume = ({ useCases }: Service, secret: string | undefined) => useCases.resumeConsoleSession.execute({ secret })
const out = (at: Service, secret: string | undefined) => expect(resume(at, secret)).rejects.toThrow(Unauthenticated)
const withAda = async (roles = ['admin']) => {
  const at = openMemoryService()
  await putUser(at, 'root', ['admin'])
  await putUser(at, 'ada', roles)
  return at
}

describe('a login link', () => {
  it('is for the operator who asked for it', async () => {
    const at = openMemoryService()
    const { secret } = await begin(at)
    const { caller } = await resume(at, secret)
    expect(caller).toMatchObject({ id: 'operator:ops', roles: ['admin'], roleSource: 'operator', channel: 'console' })
  })

  it('makes a login that is fresh for a quarter of an hour', async () => {
    const at = openMemoryService()
    const { secret } = await begin(at)
    const isFresh = async () => (await resume(at, secret)).isFresh
    at.clock.advance(15 * MINUTE - 1)
    expect(await isFresh()).toBe(true)
    at.clock.advance(1)
    expect(await isFresh()).toBe(false)
  })

  it('is for a stored user by name, with the roles that are stored', async () => {
    const at = await withAda(['auditor'])
    const { secret } = await begin(at, 'ada')
    expect((await resume(at, secret)).caller).toMatchObject({ id: 'ada', roles: ['auditor'], roleSource: 'stored' })
  })

  it('has its user seen on each day on which the session is used, and no operator', async () => {
    const at = await withAda()
    const { secret } = await begin(at, 'ada')
    const seenAt = async () => {
      await at.useCases.uses.flush()
      return (await at.useCases.getUser.execute({ userId: 'ada' }, ADMIN)).lastSeenAt
    }
    expect(await seenAt()).toBeUndefined()
    await resume(at, secret)
    await resume(at, (await begin(at)).secret)
    expect(await seenAt()).toBe(at.clock.now() - (at.clock.now() % DAY))
    expect((await at.useCases.listUsers.execute({}, ADMIN)).items.map(({ lastSeenAt }) => lastSeenAt)).toEqual([
      undefined,
      await seenAt(),
    ])
  })

  it('is for no other: neither a subject that is not stored, nor one that was deleted, nor an operator by name', async () => {
    const at = await withAda()
    await at.useCases.deleteUser.execute({ userId: 'ada' }, ADMIN)
    for (const subject of ['eve', 'ada', 'operator:root']) await expect(link(at, subject)).rejects.toThrow()
  })

  it('is good once, also where two come with it at the same time', async () => {
    const at = openMemoryService()
    const secret = await link(at)
    const begun = await Promise.allSettled(
      [1, 2, 3].map(() => at.useCases.beginConsoleSession.execute({ link: secret })),
    )
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is good for a minute', async () => {
    const at = openMemoryService()
    const secret = await link(at)
    at.clock.advance(MINUTE + 1)
    await expect(at.useCases.beginConsoleSession.execute({ link: secret })).rejects.toThrow(Unauthenticated)
  })

  it('needs the permission to issue tokens', async () => {
    const at = await withAda()
    await expect(at.useCases.issueLoginLink.execute({ subject: 'ada' }, AUDITOR)).rejects.toThrow(
      InsufficientPermissions,
    )
  })

  it('is stored as a hash alone, and so is the session', async () => {
    const at = openMemoryService()
    const secret = await link(at)
    const hash = at.ports.digests.sha256(secret)
    expect(await at.storage.unitOfWork.run(({ loginLinks }) => loginLinks.find(secret))).toBeUndefined()
    expect(await at.storage.unitOfWork.run(({ loginLinks }) => loginLinks.find(hash))).toBeDefined()
    const begun = await at.useCases.beginConsoleSession.execute({ link: secret })
    expect(JSON.stringify(begun.session)).not.toContain(begun.secret)
  })
})

describe('a session', () => {
  it('has a new secret at each login, and ends the one that the browser had', async () => {
    const at = openMemoryService()
    const first = await begin(at)
    const second = await begin(at, undefined, first.secret)
    expect(second.secret).not.toBe(first.secret)
    await out(at, first.secret)
    expect((await resume(at, second.secret)).session.id).toBe(second.session.id)
  })

  it('is not opened by a secret that the browser was given by another', async () => {
    const at = openMemoryService()
    const planted = 'f'.repeat(64)
    const { secret } = await begin(at, undefined, planted)
    expect(secret).not.toBe(planted)
    await out(at, planted)
  })

  it.each([0, HOUR])(
    'is erased with its user and the links that log in to it, with a grace of %d ms too',
    async (deleteGrace) => {
      const at = openMemoryService({ deleteGrace })
      for (const id of ['root', 'ada', 'bob']) await putUser(at, id, ['admin'])
      await begin(at, 'ada')
      const { session } = await begin(at, 'bob')
      const hashes = [at.ports.digests.sha256(await link(at, 'ada')), at.ports.digests.sha256(await link(at, 'bob'))]
      await at.useCases.deleteUser.execute({ userId: 'ada' }, ADMIN)
      const { items } = await at.storage.readers.consoleSessions.list({ after: 0, limit: 9 })
      expect(items.map(({ id }) => id)).toEqual([session.id])
      const links = await at.storage.unitOfWork.run(({ loginLinks }) =>
        Promise.all(hashes.map((hash) => loginLinks.find(hash))),
      )
      expect(links.map((found) => found?.subject)).toEqual([undefined, 'bob'])
    },
  )

  it('does not begin, and no link to it is made, where its user is deleted meanwhile', async () => {
    const at = await withAda()
    const { token } = await at.useCases.issueToken.execute({ subject: 'ada', roles: [], lifetime: 600 }, ADMIN)
    await putUser(at, 'bob')
    const deleting = (userId: string) =>
      createUseCases(
        {
          ...at.ports,
          unitOfWork: {
            run: async (work) => {
              await at.useCases.deleteUser.execute({ userId }, ADMIN)
              return await at.ports.unitOfWork.run(work)
            },
          },
        },
        MEMORY_SETTINGS,
      )
    const beginning = deleting('ada').beginConsoleSession.execute({ token, subject: 'ada' })
    await expect(beginning).rejects.toThrow(Unauthenticated)
    await expect(deleting('bob').issueLoginLink.execute({ subject: 'bob' }, OPS)).rejects.toThrow(UserDeleted)
    at.clock.advance(IDLE_LIMIT + 1)
    expect(await at.useCases.tidyConsole.execute()).toEqual({ count: 0, more: false })
  })

  it('of before a deletion stays over when the user is restored', async () => {
    const at = openMemoryService({ deleteGrace: HOUR })
    for (const id of ['root', 'ada']) await putUser(at, id, ['admin'])
    const { secret } = await begin(at, 'ada')
    at.clock.advance(1_000)
    await at.useCases.deleteUser.execute({ userId: 'ada' }, ADMIN)
    await at.useCases.restoreUser.execute({ userId: 'ada' }, ADMIN)
    await out(at, secret)
  })

  it('is over after half an hour without a request, and 12 hours after it began', async () => {
    const at = openMemoryService()
    const idle = await begin(at)
    at.clock.advance(IDLE_LIMIT)
    expect((await at.useCases.listConsoleSessions.execute({}, ADMIN)).items).toEqual([])
    await out(at, idle.secret)
    const busy = await begin(at)
    for (let passed = 0; passed < 12 * HOUR - 20 * MINUTE; passed += 20 * MINUTE) {
      at.clock.advance(20 * MINUTE)
      await resume(at, busy.secret)
    }
    at.clock.advance(20 * MINUTE)
    await out(at, busy.secret)
  })

  it('does not begin with anything but a secret', async () => {
    const at = openMemoryService()
    for (const secret of [undefined, '', 'x', 'F'.repeat(64), 'f'.repeat(65)]) await out(at, secret)
  })

  it('of a provider speaks for the subject of both tokens, and lasts no longer than the access token', async () => {
    const at = openMemoryService()
    const token = (subject: string) =>
      at.useCases.issueToken.execute({ subject, roles: ['auditor'], lifetime: 600 }, ADMIN).then(({ token }) => token)
    const { secret } = await at.useCases.beginConsoleSession.execute({ token: await token('ada'), subject: 'ada' })
    expect((await resume(at, secret)).caller).toMatchObject({ id: 'ada', roles: ['auditor'], roleSource: 'token' })
    const wrong = { token: await token('ada'), subject: 'bob' }
    await expect(at.useCases.beginConsoleSession.execute(wrong)).rejects.toThrow(Unauthenticated)
  })

  it('is ended by its own caller, and by those who may end others', async () => {
    const at = await withAda([])
    const { session, secret, caller } = await begin(at, 'ada')
    const other = await begin(at)
    await expect(at.useCases.endConsoleSession.execute({ id: other.session.id }, caller)).rejects.toThrow()
    expect(await at.useCases.endConsoleSession.execute({ id: session.id, own: session.id }, caller)).toBe(true)
    await out(at, secret)
    expect(await at.useCases.endConsoleSession.execute({ id: other.session.id }, ADMIN)).toBe(true)
    expect(await at.useCases.endConsoleSession.execute({ id: other.session.id }, ADMIN)).toBe(false)
    await out(at, other.secret)
  })

  it('is listed for those who may read sessions, and every step is on record', async () => {
    const at = openMemoryService()
    const { session } = await begin(at)
    await expect(at.useCases.listConsoleSessions.execute({}, NO_ROLES)).rejects.toThrow(InsufficientPermissions)
    expect((await at.useCases.listConsoleSessions.execute({}, AUDITOR)).items).toEqual([session])
    await at.useCases.endConsoleSession.execute({ id: session.id }, ADMIN)
    expect((await auditOf(at)).map(({ action, actor, channel }) => [action, actor, channel])).toEqual([
      ['session.link', 'operator:ops', 'cli'],
      ['session.begin', 'operator:ops', 'console'],
      ['session.end', 'root', 'http'],
    ])
  })

  it('leaves nothing behind when it is over', async () => {
    const at = openMemoryService()
    await begin(at)
    await link(at)
    at.clock.advance(IDLE_LIMIT + 1)
    expect(await at.useCases.tidyConsole.execute()).toEqual({ count: 2, more: false })
    expect(await at.useCases.tidyConsole.execute()).toEqual({ count: 0, more: false })
  })
})
