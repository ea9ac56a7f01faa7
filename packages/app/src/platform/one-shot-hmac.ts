import { createHash, hash } from 'node:crypto'

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
      return hash('sha256', Buffer.concat([inner.subarray(0, BLOCK), Buffer.from(text)]), 'hex')
    const written = inner.write(text, BLOCK)
    return hash('sha256', inner.subarray(0, BLOCK + written), 'hex')
  }
  return (text) => {
    outer.write(innerDigest(text), BLOCK, 'hex')
    return hash('sha256', outer, 'hex')
  }
}
