import type { Digests, KeyPurpose } from '../src/index.ts'
import { sha256 } from './sha256.ts'

const utf8 = (text: string): Uint8Array => {
  // encodeURIComponent is ECMAScript's own way to UTF-8; TextEncoder is the host's.
  const escaped = encodeURIComponent(text.toWellFormed())
  const bytes: number[] = []
  for (let i = 0; i < escaped.length; i++) {
    if (escaped[i] !== '%') bytes.push(escaped.charCodeAt(i))
    else {
      bytes.push(Number.parseInt(escaped.slice(i + 1, i + 3), 16))
      i += 2
    }
  }
  return Uint8Array.from(bytes)
}

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const joined = (a: Uint8Array, b: Uint8Array): Uint8Array => Uint8Array.from([...a, ...b])

/** HMAC as RFC 2104 section 2 has it. */
const hmac = (key: Uint8Array, message: Uint8Array): Uint8Array => {
  const block = new Uint8Array(64)
  block.set(key.length > 64 ? sha256(key) : key)
  const inner = sha256(
    joined(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  )
  return sha256(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  )
}

/** Correct and slow: for tests, and for hosts without a cryptography of their own. */
export const memoryDigests = (secret: string): Digests => ({
  sha256: (text) => hex(sha256(utf8(text))),
  hmac: (purpose: KeyPurpose, text) => hex(hmac(hmac(utf8(secret), utf8(purpose)), utf8(text))),
  equal: (a, b) => {
    let difference = a.length ^ b.length
    for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
    return difference === 0
  },
})
