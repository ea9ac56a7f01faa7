import { createHash, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Digests, KeyPurpose } from '@rollcall/core'

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

/** Distinguishes secrets, and reveals nothing about them. */
export const fingerprintOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'rollcall fingerprint', 16)).toString('hex')

const derived = (secret: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `rollcall ${purpose}`, 32))

const BLOCK = 64
const DIGEST = 32
const LONGEST = 4096
const INNER_PAD = 0x36
const OUTER_PAD = 0x5c

/**
 * HMAC-SHA-256 of short texts, hexadecimal, as two one-shot hashes: Node's own makes a stream for each, which costs as
 * much again, and more when it is collected. Every sign-up and every imported row takes two.
 * @see RFC 2104 section 2
 */
export const oneShotHmac = (key: Buffer): ((text: string) => string) => {
  const short = key.length > BLOCK ? createHash('sha256').update(key).digest() : key
  const padded = (pad: number): Buffer => {
    const block = Buffer.alloc(BLOCK, pad)
    for (const [at, byte] of short.entries()) block[at] = byte ^ pad
    return block
  }
  const inner = Buffer.concat([padded(INNER_PAD), Buffer.alloc(LONGEST)])
  const outer = Buffer.concat([padded(OUTER_PAD), Buffer.alloc(DIGEST)])
  const innerDigest = (text: string): string => {
    // A character takes three bytes at most.
    if (text.length * 3 > LONGEST)
      return hash('sha256', Buffer.concat([inner.subarray(0, BLOCK), Buffer.from(text)]), 'binary')
    const written = inner.write(text, BLOCK)
    return hash('sha256', inner.subarray(0, BLOCK + written), 'binary')
  }
  return (text) => {
    outer.write(innerDigest(text), BLOCK, 'binary')
    return hash('sha256', outer, 'hex')
  }
}
