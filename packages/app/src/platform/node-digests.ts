import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Digests } from '@rollcall/core'

export const createNodeDigests = (secret: string): Digests => ({
  sha256: (text) => hash('sha256', text, 'hex'),
  hmac: hmacsFrom(secret, String),
  equal: (a, b) => {
    const [left, right] = [Buffer.from(a), Buffer.from(b)]
    return left.length === right.length && timingSafeEqual(left, right)
  },
})

/** Distinguishes secrets, and reveals nothing about them. */
export const fingerprintOf = (secret: string): string => derived(secret, 'fingerprint', 16).toString('hex')

/** With keys for each purpose derived from the one secret (HKDF, RFC 5869); losing it loses all that they made. */
export const hmacsFrom = <Purpose extends string>(secret: string | Buffer, infoOf: (purpose: Purpose) => string) => {
  const keys = new Map<Purpose, KeyObject>()
  const keyFor = (purpose: Purpose): KeyObject => {
    const key = keys.get(purpose) ?? createSecretKey(derived(secret, infoOf(purpose), 32))
    keys.set(purpose, key)
    return key
  }
  return (purpose: Purpose, text: string): string => createHmac('sha256', keyFor(purpose)).update(text).digest('hex')
}

export const derived = (secret: string | Buffer, info: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `rollcall ${info}`, length))
