import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Digests, KeyPurpose } from '@rollcall/core'

/** Keys for each purpose derived from the one secret (HKDF, RFC 5869); losing it loses all that they made. */
export const createNodeDigests = (secret: string): Digests => {
  const keys = new Map<KeyPurpose, KeyObject>()
  const keyFor = (purpose: KeyPurpose): KeyObject => {
    const key = keys.get(purpose) ?? createSecretKey(derived(secret, purpose))
    keys.set(purpose, key)
    return key
  }
  return {
    sha256: (text) => hash('sha256', text, 'hex'),
    hmac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('hex'),
    equal: (a, b) => {
      const [left, right] = [Buffer.from(a), Buffer.from(b)]
      return left.length === right.length && timingSafeEqual(left, right)
    },
  }
}

/** Distinguishes secrets, and reveals nothing about them. */
export const fingerprintOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'rollcall fingerprint', 16)).toString('hex')

const derived = (secret: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `rollcall ${purpose}`, 32))
