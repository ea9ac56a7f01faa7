import { hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Digests, KeyPurpose } from '@rollcall/core'
import { oneShotHmac } from './one-shot-hmac.ts'

/** Keys for each purpose derived from the one secret (HKDF, RFC 5869); losing it loses all that they made. */
export const createNodeDigests = (secret: string): Digests => {
  const hmacs = new Map<KeyPurpose, (text: string) => string>()
  const hmacFor = (purpose: KeyPurpose): ((text: string) => string) => {
    const known = hmacs.get(purpose)
    if (known !== undefined) return known
    const hmac = oneShotHmac(derived(secret, purpose))
    hmacs.set(purpose, hmac)
    return hmac
  }
  return {
    sha256: (text) => hash('sha256', text, 'hex'),
    hmac: (purpose, text) => hmacFor(purpose)(text),
    equal: (a, b) => {
      const [left, right] = [Buffer.from(a), Buffer.from(b)]
      return left.length === right.length && timingSafeEqual(left, right)
    },
  }
}

/** Tells one secret from another, and nothing about either. */
export const fingerprintOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'rollcall fingerprint', 16)).toString('hex')

const derived = (secret: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `rollcall ${purpose}`, 32))
