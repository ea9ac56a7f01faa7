import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aSubscription } from '../contract/samples.ts'
import { memoryDigests } from '../memory/index.ts'
import { type LinkPurpose, LinkTokens } from '../src/index.ts'

const PURPOSES = ['confirm', 'refuse', 'unsubscribe'] as const satisfies readonly LinkPurpose[]
const tokens = new LinkTokens(memoryDigests('secret'))
const subscription = aSubscription(8127340912345678, { expiresAt: 1_767_225_600_001 })

describe('a link token', () => {
  it('says what it was signed with, its expiry in whole seconds, never too early', () => {
    const claims = { id: subscription.id, episode: subscription.episode, expiresAt: 1_767_225_601_000 }
    expect(tokens.read('confirm', tokens.sign('confirm', subscription))).toEqual(claims)
    expect(tokens.read('refuse', tokens.sign('refuse', subscription))).toEqual(claims)
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
