import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aSubscription } from '../contract/samples.ts'
import { MemoryLinkKeys, memoryDigests } from '../memory/index.ts'
import { type LinkKeys, LinkNotValid, LinkTokens, SignedLinks } from '../src/index.ts'

const PURPOSES = ['confirm', 'refuse', 'unsubscribe', 'preferences', 'manage'] as const
const TIMED = ['confirm', 'refuse', 'preferences'] as const
const digests = memoryDigests('')
const signedBy = (linkKeys: LinkKeys) => new LinkTokens({ linkKeys, digests })
const tokens = signedBy(new MemoryLinkKeys())
const EXPIRES = 1_767_225_600_001
const subscription = aSubscription(8127340912345678, { expiresAt: EXPIRES })

const tokenFor = (purpose: (typeof PURPOSES)[number], by = tokens, of = subscription): string => {
  if (purpose === 'manage') return by.signId(purpose, of.id)
  return purpose === 'preferences' ? by.signPreferences(of.id, of.expiresAt ?? 0) : by.sign(purpose, of)
}

// Computed apart from this code: the claims and the id of the key, 1; then HMAC-SHA-256 of that under
// HMAC-SHA-256('a link secret for tests 1', '<purpose>'), its first 16 bytes.
const VECTORS = [
  ['confirm', '8127340912345678.0123456789abcdef.1767225601.1dbfecd823f9c01330459e00492f5457d'],
  ['refuse', '8127340912345678.0123456789abcdef.1767225601.13d5158b072aa4a29d2de5cf5a2a86b0a'],
  ['unsubscribe', '8127340912345678.15f30fceb1ee54cf8aef2686a14ce8023'],
  ['preferences', '8127340912345678.1767225601.1b10239be4a49f94d6f54751c2036cdb9'],
] as const

describe('a link token', () => {
  it.each(VECTORS)('to %s is made of its claims and a code over them', (purpose, token) => {
    expect(tokenFor(purpose)).toBe(token)
  })

  it.each(TIMED)('to %s says what it was signed with, its expiry in whole seconds, never too early', (purpose) => {
    const episode = purpose === 'preferences' ? undefined : subscription.episode
    const claims = { id: subscription.id, episode, group: undefined, expiresAt: 1_767_225_601_000 }
    expect(tokens.read(purpose, tokenFor(purpose))).toEqual(claims)
  })

  it('for several feeds names their group in place of an episode, and is never taken for the other', () => {
    const group = subscription.episode
    const token = tokens.signGroup('confirm', subscription, group, EXPIRES)
    const claims = { id: subscription.id, episode: undefined, group, expiresAt: 1_767_225_601_000 }
    expect(tokens.read('confirm', token)).toEqual(claims)
    expect(tokens.read('refuse', token)).toBeUndefined()
    expect(tokens.read('confirm', token.replace('.g', '.'))).toBeUndefined()
    expect(tokens.read('confirm', tokenFor('confirm').replace('.', '.g'))).toBeUndefined()
  })

  it('for unsubscribing carries neither episode nor expiry, and is the same in every life', () => {
    const token = tokenFor('unsubscribe')
    expect(tokens.read('unsubscribe', token)).toEqual({ id: subscription.id, episode: undefined, expiresAt: undefined })
    const later = { ...subscription, episode: 'ffffffffffffffff', expiresAt: undefined }
    expect(tokens.sign('unsubscribe', later)).toBe(token)
  })

  it('for preferences is good neither for another subscription nor for another hour', () => {
    const mac = tokenFor('preferences').split('.')[2]
    expect(tokens.read('preferences', `${subscription.id - 1}.1767225601.${mac}`)).toBeUndefined()
    expect(tokens.read('preferences', `${subscription.id}.1767229201.${mac}`)).toBeUndefined()
  })

  it('is good in one spelling only: any change of one character is refused', () => {
    const character = fc.oneof(
      fc.constantFrom(...'0123456789abcdefABCDEF.%+- \n=\u0661\u{1d7ce}', ''),
      fc.string({ minLength: 1, maxLength: 1 }),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...PURPOSES),
        fc.nat(),
        character,
        fc.constantFrom(0, 1),
        (purpose, n, other, cut) => {
          const token = tokenFor(purpose)
          const at = n % (token.length + 1)
          const changed = token.slice(0, at) + other + token.slice(at + cut)
          if (changed !== token) expect(tokens.read(purpose, changed)).toBeUndefined()
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each(PURPOSES)('to %s is refused when a character is left out or in upper case', (purpose) => {
    const token = tokenFor(purpose)
    for (let at = 0; at < token.length; at++)
      expect(tokens.read(purpose, token.slice(0, at) + token.slice(at + 1))).toBeUndefined()
    if (/[a-f]/.test(token)) expect(tokens.read(purpose, token.toUpperCase())).toBeUndefined()
  })

  it.each(PURPOSES)('to %s is refused where it is nothing of the kind, or its id can be none', (purpose) => {
    const impossible = tokenFor(purpose, tokens, { ...subscription, id: 9_007_199_254_740_992 })
    for (const text of ['', '.', '..', '1', '1.2.3', '1.2.3.4', 'x'.repeat(100_000), impossible])
      expect(tokens.read(purpose, text)).toBeUndefined()
  })

  it.each(TIMED)('to %s is never good without an expiry', (purpose) => {
    const token = tokenFor(purpose, tokens, { ...subscription, expiresAt: undefined })
    expect(tokens.read(purpose, token)).toBeUndefined()
  })
})

describe('a signed link', () => {
  const links = new SignedLinks(tokens, { now: () => 1_767_225_600_999 })
  const late = new SignedLinks(tokens, { now: () => 1_767_225_601_000 })

  it('passes for the purpose that it was signed for, and for no other', () => {
    for (const purpose of PURPOSES)
      for (const other of PURPOSES) {
        const check = () => links.require(other, tokenFor(purpose))
        if (purpose === other) expect(check).not.toThrow()
        else expect(check).toThrow(LinkNotValid)
      }
  })

  it.each(TIMED)('to %s does not pass from the second on in which it expires', (purpose) => {
    expect(() => late.require(purpose, tokenFor(purpose))).toThrow(LinkNotValid)
  })

  it('does not pass where it was made with another key, or is no token at all', () => {
    const others = signedBy(new MemoryLinkKeys('another'))
    for (const purpose of PURPOSES)
      for (const token of [tokenFor(purpose, others), '', 'x'])
        expect(() => links.require(purpose, token)).toThrow(LinkNotValid)
  })
})

describe('a link whose key was rotated', () => {
  const isTimed = (purpose: string) => TIMED.some((one) => one === purpose)
  const rotated = async (succession: { revoke: boolean; verifyUntil: number }) => {
    const linkKeys = new MemoryLinkKeys()
    const by = signedBy(linkKeys)
    const before = PURPOSES.map((purpose) => [purpose, tokenFor(purpose, by)] as const)
    await (await linkKeys.makeKey()).takeOver(succession)
    const isGood = (purpose: (typeof PURPOSES)[number], token: string, now: number) => {
      try {
        return new SignedLinks(by, { now: () => now }).require(purpose, token) !== undefined
      } catch {
        return false
      }
    }
    return { by, before, isGood }
  }

  it('is good until it expires; to unsubscribe or manage, for ever', async () => {
    const { before, isGood } = await rotated({ revoke: false, verifyUntil: EXPIRES + 86_400_000 })
    for (const [purpose, token] of before) {
      expect(isGood(purpose, token, EXPIRES - 1)).toBe(true)
      expect(isGood(purpose, token, EXPIRES + 1_000)).toBe(!isTimed(purpose))
      expect(isGood(purpose, token, EXPIRES * 10)).toBe(!isTimed(purpose))
    }
  })

  it('is good for nothing that expires once its key has had its time, whatever the link says', async () => {
    const { before, isGood } = await rotated({ revoke: false, verifyUntil: EXPIRES - 60_000 })
    for (const [purpose, token] of before) {
      expect(isGood(purpose, token, EXPIRES - 60_001)).toBe(true)
      expect(isGood(purpose, token, EXPIRES - 60_000)).toBe(!isTimed(purpose))
    }
  })

  it('is good for nothing at all where the key was revoked, and new ones are', async () => {
    const { by, before, isGood } = await rotated({ revoke: true, verifyUntil: EXPIRES * 2 })
    for (const [purpose, token] of before) {
      expect(isGood(purpose, token, EXPIRES - 1)).toBe(false)
      expect(isGood(purpose, tokenFor(purpose, by), EXPIRES - 1)).toBe(true)
    }
  })

  it('is not good under the id of another key', async () => {
    const { by, before, isGood } = await rotated({ revoke: false, verifyUntil: EXPIRES * 2 })
    for (const [purpose, token] of before) {
      const other = `${token.slice(0, -33)}2${token.slice(-32)}`
      expect(isGood(purpose, other, EXPIRES - 1)).toBe(false)
      expect(other).not.toBe(token)
      expect(tokenFor(purpose, by).slice(-33, -32)).toBe('2')
    }
  })
})
