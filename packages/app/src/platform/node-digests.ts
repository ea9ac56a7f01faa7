import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Digests, KeyPurpose } from '@rollcall/core'

const PURPOSES = [
  'address',
  'link-confirm',
  'link-refuse',
  'link-unsubscribe',
  'subscription-id',
] as const satisfies readonly KeyPurpose[]

/** Keys for each purpose derived from the one secret (HKDF, RFC 5869); losing it loses all that they made. */
export const createNodeDigests = (secret: string): Digests => {
  const keys = Object.fromEntries(PURPOSES.map((purpose) => [purpose, derived(secret, purpose)])) as Record<
    KeyPurpose,
    KeyObject
  >
  return {
    sha256: (text) => hash('sha256', text, 'hex'),
    hmac: (purpose, text) => createHmac('sha256', keys[purpose]).update(text).digest('hex'),
    equal: (a, b) => {
      const [left, right] = [Buffer.from(a), Buffer.from(b)]
      return left.length === right.length && timingSafeEqual(left, right)
    },
  }
}

/** Tells one secret from another, and nothing about either. */
export const fingerprintOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'rollcall fingerprint', 16)).toString('hex')

const derived = (secret: string, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `rollcall ${purpose}`, 32)))
