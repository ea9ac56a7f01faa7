import type { Digests, KeyPurpose } from '../src/index.ts'

/** SHA-256 of bytes, for hosts that bring no digests of their own. @see FIPS 180-4 section 6.2 */
const sha256 = (message: Uint8Array): Uint8Array => {
  const blocks = padded(message)
  const state = new Uint32Array(INITIAL)
  const schedule = new Uint32Array(64)
  for (let offset = 0; offset < blocks.byteLength; offset += 64) compress(state, schedule, blocks, offset)
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, index) => {
    digest.setUint32(index * 4, word)
  })
  return new Uint8Array(digest.buffer)
}

const padded = (message: Uint8Array): DataView => {
  const blocks = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  blocks.set(message)
  blocks[message.length] = 0x80
  const view = new DataView(blocks.buffer)
  view.setBigUint64(blocks.length - 8, BigInt(message.length) * 8n)
  return view
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))
const at = (words: Uint32Array, index: number): number => words[index] ?? 0

const compress = (state: Uint32Array, w: Uint32Array, blocks: DataView, offset: number): void => {
  for (let i = 0; i < 16; i++) w[i] = blocks.getUint32(offset + i * 4)
  for (let i = 16; i < 64; i++) {
    const early = at(w, i - 15)
    const late = at(w, i - 2)
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1
  }
  const [a0 = 0, b0 = 0, c0 = 0, d0 = 0, e0 = 0, f0 = 0, g0 = 0, h0 = 0] = state
  let [a, b, c, d, e, f, g, h] = [a0, b0, c0, d0, e0, f0, g0, h0]
  for (let i = 0; i < 64; i++) {
    const t1 = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + at(ROUND, i) + at(w, i)) | 0
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
  }
  state.set([a0 + a, b0 + b, c0 + c, d0 + d, e0 + e, f0 + f, g0 + g, h0 + h])
}

const primes = (count: number): number[] => {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}
// The first 32 bits of the fractional parts of the roots of the first primes (sections 4.2.2 and 5.3.3).
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) >>> 0
const INITIAL = primes(8).map((prime) => fraction(Math.sqrt(prime)))
const ROUND = new Uint32Array(primes(64).map((prime) => fraction(Math.cbrt(prime))))

// encodeURIComponent is ECMAScript's own way to UTF-8; TextEncoder is the host's.
const utf8 = (text: string): Uint8Array =>
  Uint8Array.from(encodeURIComponent(text.toWellFormed()).match(/%..|./g) ?? [], (unit) =>
    unit.length > 1 ? Number.parseInt(unit.slice(1), 16) : unit.charCodeAt(0),
  )

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** HMAC as RFC 2104 section 2 has it. */
const hmac = (key: Uint8Array, message: Uint8Array): Uint8Array => {
  const block = new Uint8Array(64)
  block.set(key.length > 64 ? sha256(key) : key)
  const keyed = (pad: number, bytes: Uint8Array) =>
    sha256(Uint8Array.from([...block.map((byte) => byte ^ pad), ...bytes]))
  return keyed(0x5c, keyed(0x36, message))
}

/** As `hmac` of the digests has it, for any purpose. */
export const memoryHmac = (secret: string, purpose: string, text: string): string =>
  hex(hmac(hmac(utf8(secret), utf8(purpose)), utf8(text)))

/** Correct and slow: for tests, and for hosts without a cryptography of their own. */
export const memoryDigests = (secret: string): Digests => ({
  sha256: (text) => hex(sha256(utf8(text))),
  hmac: (purpose: KeyPurpose, text) => memoryHmac(secret, purpose, text),
  equal: (a, b) => {
    let difference = a.length ^ b.length
    for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
    return difference === 0
  },
})
