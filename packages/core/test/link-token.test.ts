import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aSubscription } from '../contract/samples.ts'
import { memoryDigests } from '../memory/index.ts'
import { LinkNotValid, type LinkPurpose, LinkTokens, SignedLinks } from '../src/index.ts'

const PURPOSES = ['confirm', 'refuse', 'unsubscribe'] as const satisfies readonly LinkPurpose[]
const tokens = new LinkTokens(memoryDigests('secret'))
const subscription = aSubscription(8127340912345678, { expiresAt: 1_767_225_600_001 })

// Computed apart from this code: HMAC-SHA-256 under HMAC-SHA-256('secret', 'link-<purpose>'), its first 16 bytes.
const VECTORS = {
  confirm: '8127340912345678.0123456789abcdef.1767225601.c1871f59ae2969b9f9f099cc616b43cd',
  refuse: '8127340912345678.0123456789abcdef.1767225601.384053cda2d9abb3537ab97e023bb952',
  unsubscribe: '8127340912345678.662729f78c9e5daeea5830f84f66b746',
  preferences: '8127340912345678.1767225601.97cc217332f0a6f26f370bc2d751c929',
}

describe('a link token', () => {
  it.each(PURPOSES)('to %s is made of its claims and a code over them', (purpose) => {
    expect(tokens.sign(purpose, subscription)).toBe(VECTORS[purpose])
  })

  it('says what it was signed with, its expiry in whole seconds, never too early', () => {
    const claims = {
      ...{ id: subscription.id, episode: subscription.episode, group: undefined },
      expiresAt: 1_767_225_601_000,
    }
    expect(tokens.read('confirm', tokens.sign('confirm', subscription))).toEqual(claims)
    expect(tokens.read('refuse', tokens.sign('refuse', subscription))).toEqual(claims)
  })

  it('for several feeds names their group in place of an episode, and is never taken for the other', () => {
    const group = subscription.episode
    const token = tokens.signGroup('confirm', subscription, group, subscription.expiresAt ?? 0)
    const claims = { id: subscription.id, episode: undefined, group, expiresAt: 1_767_225_601_000 }
    expect(tokens.read('confirm', token)).toEqual(claims)
    expect(tokens.read('refuse', token)).toBeUndefined()
    expect(tokens.read('confirm', token.replace('.g', '.'))).toBeUndefined()
    expect(tokens.read('confirm', tokens.sign('confirm', subscription).replace('.', '.g'))).toBeUndefined()
  })

  it('for unsubscribing carries neither episode nor expiry, and is the same in every life', () => {
    const token = tokens.sign('unsubscribe', subscription)
    expect(tokens.read('unsubscribe', token)).toEqual({ id: subscription.id, episode: undefined, expiresAt: undefined })
    const later = { ...subscription, episode: 'ffffffffffffffff', expiresAt: undefined }
    expect(tokens.sign('unsubscribe', later)).toBe(token)
  })

  it('made for one purpose opens no other', () => {
    for (const purpose of PURPOSES)
      for (const other of PURPOSES) {
        const claims = tokens.read(other, tokens.sign(purpose, subscription))
        expect(claims === undefined).toBe(purpose !== other)
      }
  })

  it('made with another secret opens nothing', () => {
    const others = new LinkTokens(memoryDigests('another'))
    for (const purpose of PURPOSES) expect(tokens.read(purpose, others.sign(purpose, subscription))).toBeUndefined()
  })

  it('is good in one spelling only: any change of one character is refused', () => {
    const character = fc.oneof(
      fc.constantFrom(...'0123456789abcdefABCDEF.%+- \n='),
      fc.string({ minLength: 1, maxLength: 1 }),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...PURPOSES),
        fc.nat(),
        character,
        fc.constantFrom(0, 1),
        (purpose, n, other, cut) => {
          const token = tokens.sign(purpose, subscription)
          const at = n % (token.length + 1)
          const changed = token.slice(0, at) + other + token.slice(at + cut)
          if (changed !== token) expect(tokens.read(purpose, changed)).toBeUndefined()
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is refused when a character is left out or in upper case', () => {
    for (const purpose of PURPOSES) {
      const token = tokens.sign(purpose, subscription)
      for (let at = 0; at < token.length; at++)
        expect(tokens.read(purpose, token.slice(0, at) + token.slice(at + 1))).toBeUndefined()
      if (/[a-f]/.test(token)) expect(tokens.read(purpose, token.toUpperCase())).toBeUndefined()
    }
  })

  it('is refused where it is nothing of the kind, or its id can be none', () => {
    const impossible = tokens.sign('unsubscribe', { ...subscription, id: 9_007_199_254_740_992 })
    for (const text of ['', '.', '..', '1', '1.2.3.4', 'x'.repeat(100_000), impossible])
      for (const purpose of PURPOSES) expect(tokens.read(purpose, text)).toBeUndefined()
  })

  it('without an expiry is never good for confirming', () => {
    const token = tokens.sign('confirm', { ...subscription, expiresAt: undefined })
    expect(tokens.read('confirm', token)).toBeUndefined()
  })
})

describe('a token for preferences', () => {
  const { id } = subscription
  const expiresAt = 1_767_225_600_001
  const token = tokens.signPreferences(id, expiresAt)

  it('is made of the id, the expiry and a code over both', () => {
    expect(token).toBe(VECTORS.preferences)
  })

  it('says whose preferences it opens, and until when, in whole seconds, never too early', () => {
    expect(tokens.read('preferences', token)).toEqual({ id, expiresAt: 1_767_225_601_000 })
  })

  it('opens nothing else, and no other link opens preferences', () => {
    for (const purpose of PURPOSES) {
      expect(tokens.read(purpose, token)).toBeUndefined()
      expect(tokens.read('preferences', tokens.sign(purpose, subscription))).toBeUndefined()
    }
  })

  it('opens nothing if it was made with another secret, for another id, or for another hour', () => {
    const mac = token.split('.')[2]
    expect(tokens.read('preferences', new LinkTokens(memoryDigests('another')).signPreferences(id, expiresAt))).toBe(
      undefined,
    )
    expect(tokens.read('preferences', `${id - 1}.1767225601.${mac}`)).toBeUndefined()
    expect(tokens.read('preferences', `${id}.1767229201.${mac}`)).toBeUndefined()
  })

  it('is good in one spelling only: any change of one character is refused', () => {
    const character = fc.constantFrom(...'0123456789abcdefABCDEF.%+- \n=\u0661\u{1d7ce}', '')
    fc.assert(
      fc.property(fc.nat(), character, fc.constantFrom(0, 1), (n, other, cut) => {
        const at = n % (token.length + 1)
        const changed = token.slice(0, at) + other + token.slice(at + cut)
        if (changed !== token) expect(tokens.read('preferences', changed)).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  it('is refused where it is nothing of the kind, or its id can be none', () => {
    const impossible = tokens.signPreferences(9_007_199_254_740_992, expiresAt)
    const never = tokens.signPreferences(id, 0)
    for (const text of ['', '.', '..', '1', '1.2.3', 'x'.repeat(100_000), impossible, never])
      expect(tokens.read('preferences', text)).toBeUndefined()
  })
})

describe('a signed link', () => {
  const links = new SignedLinks(tokens, { now: () => 1_767_225_600_999 })
  const late = new SignedLinks(tokens, { now: () => 1_767_225_601_000 })
  const ALL = [...PURPOSES, 'preferences'] as const
  const tokenFor = (purpose: (typeof ALL)[number], by = tokens): string =>
    purpose === 'preferences' ? by.signPreferences(subscription.id, 1_767_225_600_001) : by.sign(purpose, subscription)

  it('passes for the purpose that it was signed for, and for no other', () => {
    for (const purpose of ALL)
      for (const other of ALL) {
        const check = () => links.require(other, tokenFor(purpose))
        if (purpose === other) expect(check).not.toThrow()
        else expect(check).toThrow(LinkNotValid)
      }
  })

  it('does not pass from the second on in which it expires, but for unsubscribing', () => {
    for (const purpose of ALL) {
      const check = () => late.require(purpose, tokenFor(purpose))
      if (purpose === 'unsubscribe') expect(check).not.toThrow()
      else expect(check).toThrow(LinkNotValid)
    }
  })

  it('does not pass where it was made with another secret, or is no token at all', () => {
    const others = new LinkTokens(memoryDigests('another'))
    for (const purpose of ALL)
      for (const token of [tokenFor(purpose, others), '', 'x'])
        expect(() => links.require(purpose, token)).toThrow(LinkNotValid)
  })
})
