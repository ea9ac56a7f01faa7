import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KeySuccession, SigningKeyRing } from '../src/index.ts'
import type { AccessTokensUnderTest } from './access-tokens.ts'
import { outcomesOf, upTo } from './samples.ts'

/** A ring, and an issuer and a verifier that use it. */
export interface SigningKeyRingUnderTest extends AccessTokensUnderTest {
  readonly ring: SigningKeyRing
  now(): number
}

const HOUR = 3_600_000

export const signingKeyRingContract = (open: () => Promise<SigningKeyRingUnderTest>) =>
  describe('signing keys', () => {
    let keys: SigningKeyRingUnderTest
    beforeEach(async () => {
      keys = await open()
    })
    afterEach(async () => {
      await keys.dispose()
    })
    const issue = async (lifetime = 3_600) =>
      (await keys.issuer.issue({ subject: 'ada', roles: ['admin'], lifetime })).token
    const rotate = async (succession: Partial<KeySuccession> = {}) => {
      const key = await keys.ring.makeKey()
      await key.takeOver({ revoke: false, verifyUntil: keys.now() + 2 * HOUR, ...succession })
      return key.keyId
    }
    const isGood = (token: string) =>
      keys.verifier.verify(token).then(
        ({ subject }) => subject === 'ada',
        () => false,
      )

    it('that were made and have not taken over change nothing', async () => {
      const before = await issue()
      await keys.ring.makeKey()
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
      await rotate({ verifyUntil: keys.now() + HOUR })
      await rotate({ verifyUntil: keys.now() + 9 * HOUR })
      keys.advance(HOUR - 60_000)
      expect(await isGood(token)).toBe(true)
      keys.advance(120_000)
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
