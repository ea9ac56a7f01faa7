import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { InvalidInput, operator, Unauthenticated, UserDeleted } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, putUser, type Service } from './cast.ts'

const issue = (
  { useCases }: Service,
  subject: string,
  roles: readonly string[] = ['admin'],
  lifetime = 3_600,
  who = ADMIN,
) => useCases.issueToken.execute({ subject, roles, lifetime }, who)
const authenticate = ({ useCases }: Service, token: string | undefined) =>
  useCases.authenticate.execute({ token, channel: 'http', requestId: 'r-1' })
const refusalOf = async (at: Service, token: string | undefined) =>
  authenticate(at, token).then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

describe('authenticating', () => {
  it('makes a caller of a good token, with the roles that the token has', async () => {
    const at = openMemoryService()
    const { token, tokenId } = await issue(at, 'ada', ['auditor'])
    expect(await authenticate(at, token)).toEqual({
      id: 'ada',
      roles: ['auditor'],
      roleSource: 'token',
      channel: 'http',
      tokenId,
      requestId: 'r-1',
      issuedAt: expect.any(Number),
    })
  })

  it('goes by the stored roles where the subject is a stored user: a demotion holds at once', async () => {
    const at = openMemoryService()
    await putUser(at, 'root', ['admin'])
    await putUser(at, 'ada', ['admin'])
    const { token } = await issue(at, 'ada', ['admin'])
    expect(await authenticate(at, token)).toMatchObject({ roles: ['admin'], roleSource: 'stored' })
    await putUser(at, 'ada', [])
    expect(await authenticate(at, token)).toMatchObject({ roles: [], roleSource: 'stored' })
    await putUser(at, 'ada', ['auditor'])
    expect(await authenticate(at, token)).toMatchObject({ roles: ['auditor'] })
  })

  it('distinguishes no token from a token that is not valid', async () => {
    const at = openMemoryService()
    const none = await refusalOf(at, undefined)
    expect(none).toBeInstanceOf(Unauthenticated)
    expect(none).toMatchObject({
      tokenRefused: false,
      message: "Send an access token: 'Authorization: Bearer <ACCESS_TOKEN>'.",
    })
    expect(await refusalOf(at, 'bad')).toMatchObject({ tokenRefused: true })
    const { token } = await issue(at, 'ada', [], 1)
    at.clock.advance(1_000)
    expect(await refusalOf(at, token)).toMatchObject({ tokenRefused: true })
  })
})

describe('issuing a token', () => {
  it('is recorded with the id of the token, never the token', async () => {
    const at = openMemoryService()
    const { token, tokenId } = await issue(at, 'ada', ['admin'], 60, operator('root'))
    expect(await auditOf(at)).toMatchObject([
      {
        actor: 'operator:root',
        roleSource: 'operator',
        channel: 'cli',
        action: 'token.issue',
        target: 'ada',
        reason: `token ${tokenId}`,
      },
    ])
    expect(JSON.stringify(await auditOf(at))).not.toContain(token)
  })

  it('is refused for a deleted subject', async () => {
    const at = openMemoryService()
    await putUser(at, 'ada')
    await at.useCases.deleteUser.execute({ userId: 'ada' }, ADMIN)
    await expect(issue(at, 'ada')).rejects.toBeInstanceOf(UserDeleted)
  })

  it('is refused for what is no user id, an unknown role, or a lifetime beyond 400 days', async () => {
    const at = openMemoryService()
    await expect(issue(at, 'operator:x')).rejects.toThrow("Correct 'subject'")
    await expect(issue(at, 'ada', ['root'])).rejects.toThrow("Correct 'roles'")
    for (const lifetime of [0, -1, 1.5, Number.NaN, Infinity, 400 * 86_400 + 1])
      await expect(issue(at, 'ada', [], lifetime)).rejects.toBeInstanceOf(InvalidInput)
    for (const lifetime of [1, 400 * 86_400]) await issue(at, 'ada', [], lifetime)
  })

  it('requires the role', async () => {
    await expect(issue(openMemoryService(), 'ada', [], 60, AUDITOR)).rejects.toThrow(
      "Issuing tokens requires the 'admin' role.",
    )
  })
})
