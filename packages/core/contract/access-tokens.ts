import { expect, it } from 'vitest'
import {
  type AccessTokenIssuer,
  type AccessTokenVerifier,
  type KeySuccession,
  type SigningKeyRing,
  Unauthenticated,
} from '../src/index.ts'
import { outcomesOf, upTo, VISIBLE_ASCII } from './samples.ts'
import { portSuite } from './storage-under-test.ts'

/** An issuer, and a verifier of what it issues. For a verifier alone, the issuer is one that stands in for the world's. */
export interface AccessTokensUnderTest {
  readonly issuer: AccessTokenIssuer
  readonly verifier: AccessTokenVerifier
  /** Moves on the clock of both. */
  advance(milliseconds: number): void
  dispose(): Promise<void>
}

export const accessTokensContract = portSuite<AccessTokensUnderTest>('access tokens', (tokens) => {
  const issue = (subject = 'ada', roles: readonly string[] = ['admin'], lifetime = 3_600) =>
    tokens().issuer.issue({ subject, roles, lifetime })
  const verify = (token: string) => tokens().verifier.verify(token)
  const refusalsOf = async (candidates: readonly string[]) => {
    const { values, errors } = await outcomesOf(candidates.map(verify))
    expect(values).toEqual([])
    for (const error of errors) {
      expect(error).toBeInstanceOf(Unauthenticated)
      expect(error).toHaveProperty('tokenRefused', true)
    }
    return errors
  }

  it('say who they were issued to, with which roles, under which id', async () => {
    const { token, tokenId } = await issue('ada', ['admin', 'auditor'])
    expect(await verify(token)).toMatchObject({ subject: 'ada', roles: ['admin', 'auditor'], tokenId })
  })

  it('say which feeds they are bound to', async () => {
    for (const feeds of [[], ['weekly'], ['a', 'b-2', 'x'.repeat(64)]]) {
      const { token } = await tokens().issuer.issue({ subject: 'mailer', roles: ['sender'], feeds, lifetime: 60 })
      expect(await verify(token)).toMatchObject({ subject: 'mailer', roles: ['sender'], feeds })
    }
  })

  it('say when they were issued, to the second', async () => {
    const { issuedAt: first = 0 } = await verify((await issue()).token)
    tokens().advance(5_000)
    const { issuedAt: second = 0 } = await verify((await issue()).token)
    expect(second - first).toBe(5_000)
  })

  it('say the same each time, and to many at once', async () => {
    const { token, tokenId } = await issue()
    const answers = await Promise.all(upTo(20).map(() => verify(token)))
    for (const answer of answers) expect(answer).toMatchObject({ subject: 'ada', roles: ['admin'], tokenId })
  })

  it('carry any user id, and unknown roles, or no roles', async () => {
    for (const subject of ['a', VISIBLE_ASCII, 'x'.repeat(255), '__proto__', '0', 'null'])
      for (const roles of [[], ['admin'], ['unheard-of', 'ADMIN', '__proto__']]) {
        const { token } = await issue(subject, roles)
        expect(await verify(token)).toMatchObject({ subject, roles })
      }
  })

  it('have an id each, even for the same subject at the same moment', async () => {
    const issued = await Promise.all(upTo(50).map(() => issue()))
    expect(new Set(issued.map(({ token }) => token)).size).toBe(50)
    expect(new Set(issued.map(({ tokenId }) => tokenId)).size).toBe(50)
  })

  it('can be sent as they are in an Authorization header (RFC 6750 section 2.1)', async () => {
    expect((await issue()).token).toMatch(/^[A-Za-z0-9._~+/-]+=*$/)
  })

  it('are good for their whole life, and refused when it is over', async () => {
    const { token } = await issue('ada', [], 60)
    tokens().advance(58_000)
    expect(await verify(token)).toMatchObject({ subject: 'ada' })
    tokens().advance(62_000)
    await refusalsOf([token])
  })

  it('are refused when anything is cut off, added or changed', async () => {
    const { token } = await issue()
    const changed = upTo(token.length).map((at) => {
      const other = token[at - 1] === 'A' ? 'B' : 'A'
      return `${token.slice(0, at - 1)}${other}${token.slice(at)}`
    })
    const cut = [
      token.slice(1),
      token.slice(0, -1),
      token.slice(0, token.length / 2),
      token.split('.').slice(0, -1).join('.'),
    ]
    const added = [`${token}A`, `A${token}`, `${token}.`, `.${token}`, ` ${token}`, `${token}\n`, `${token}=`]
    await refusalsOf([...changed, ...cut, ...added, `${token}${token}`, `${token},${token}`, token.toUpperCase()])
  })

  it('are refused where they are nothing of the kind, however long', async () => {
    await refusalsOf(['', ' ', '.', '..', 'x', 'null', '\u0000', '😀', 'a.b.c', 'Bearer x', 'A'.repeat(100_000)])
  })

  it('are refused without a word of what they say', async () => {
    const { token, tokenId } = await issue('someone-secret', ['a-secret-role'], 1)
    tokens().advance(100_000)
    const [error] = await refusalsOf([token])
    for (const secret of [token, tokenId, 'someone-secret', 'a-secret-role'])
      expect((error as Error).message).not.toContain(secret)
  })
})

/** For issuers of one's own, over the core: not for one that stands in for an identity provider. */
export const accessTokenIssuerContract = portSuite<AccessTokensUnderTest>('an issuer of access tokens', (tokens) => {
  const issuedAt = async (after?: number): Promise<number> => {
    const { token } = await tokens().issuer.issue({ subject: 'ada', roles: [], lifetime: 3_600, after })
    return (await tokens().verifier.verify(token)).issuedAt ?? Number.NaN
  }

  it('says that a token was issued after the time before which those of its user are refused', async () => {
    const now = await issuedAt()
    for (const after of [now, now + 1, now + 999]) expect(await issuedAt(after)).toBeGreaterThan(after)
  })

  it('says the truth if that time is over', async () => {
    const now = await issuedAt()
    for (const after of [0, now - 60_000]) {
      const found = await issuedAt(after)
      expect(found).toBeGreaterThanOrEqual(now)
      expect(found).toBeLessThan(now + 5_000)
    }
  })
})

/** A ring, and an issuer and a verifier that use it. */
export interface SigningKeyRingUnderTest extends AccessTokensUnderTest {
  readonly ring: SigningKeyRing
  now(): number
}

const HOUR = 3_600_000

export const signingKeyRingContract = portSuite<SigningKeyRingUnderTest>('signing keys', (keys) => {
  const issue = async (lifetime = 3_600) =>
    (await keys().issuer.issue({ subject: 'ada', roles: ['admin'], lifetime })).token
  const rotate = async (succession: Partial<KeySuccession> = {}) => {
    const key = await keys().ring.makeKey()
    await key.takeOver({ revoke: false, verifyUntil: keys().now() + 2 * HOUR, ...succession })
    return key.keyId
  }
  const isGood = (token: string) =>
    keys()
      .verifier.verify(token)
      .then(
        ({ subject }) => subject === 'ada',
        () => false,
      )

  it('that were made and have not taken over change nothing', async () => {
    const before = await issue()
    await keys().ring.makeKey()
    expect(await isGood(before)).toBe(true)
    expect(await isGood(await issue())).toBe(true)
  })

  it('that take over sign good tokens, and those signed before stay good', async () => {
    const tokens = [await issue()]
    for (const _ of upTo(3)) {
      await rotate()
      tokens.push(await issue())
    }
    for (const token of tokens) expect(await isGood(token)).toBe(true)
  })

  it('have an id each', async () => {
    expect(new Set([await rotate(), await rotate(), await rotate({ revoke: true })]).size).toBe(3)
  })

  it('verify what they signed until the time that was set, and not longer', async () => {
    const token = await issue(24 * 3_600)
    await rotate({ verifyUntil: keys().now() + HOUR })
    await rotate({ verifyUntil: keys().now() + 9 * HOUR })
    keys().advance(HOUR - 60_000)
    expect(await isGood(token)).toBe(true)
    keys().advance(120_000)
    expect(await isGood(token)).toBe(false)
  })

  it('verify nothing any more once they are revoked, whenever they were retired', async () => {
    const tokens = [await issue()]
    await rotate()
    tokens.push(await issue())
    for (const token of tokens) await isGood(token)
    await rotate({ revoke: true })
    for (const token of tokens) expect(await isGood(token)).toBe(false)
    expect(await isGood(await issue())).toBe(true)
  })

  it('may take over many at once, and all but revoked ones verify', async () => {
    const before = await issue()
    const { errors } = await outcomesOf(upTo(5).map(() => rotate()))
    expect(errors).toEqual([])
    expect(await isGood(before)).toBe(true)
    expect(await isGood(await issue())).toBe(true)
  })
})
