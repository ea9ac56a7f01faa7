import { randomBytes, randomFillSync } from 'node:crypto'
import { domainToASCII, domainToUnicode } from 'node:url'
import type { DomainNames, Randomness } from '@rollcall/core'

const POOL = 4096

/** The operating system's randomness, fetched in pieces: a call for a few bytes costs as much as one for thousands. */
export const createNodeRandomness = (): Randomness => {
  const pool = Buffer.alloc(POOL)
  let used = POOL
  return {
    hex: (bytes) => {
      if (bytes > POOL) return randomBytes(bytes).toString('hex')
      if (used + bytes > POOL) {
        randomFillSync(pool)
        used = 0
      }
      const text = pool.toString('hex', used, used + bytes)
      // Values given out are not kept: a dump of this memory reveals no past link.
      pool.fill(0, used, used + bytes)
      used += bytes
      return text
    },
    fraction: () => Math.random(),
  }
}

// Node maps names by parsing them as the host of a URL; these would end the host, or be decoded.
const MEANS_SOMETHING_IN_A_URL = /[\s#%/:<>?@[\\\]^`{|}]/
const IP_ADDRESS = /^\d+(?:\.\d+){3}$/

/** UTS #46 by Node's own URL parser, kept from taking anything but a name for a name. */
export const nodeDomainNames: DomainNames = {
  toAscii: (domain) => {
    if (MEANS_SOMETHING_IN_A_URL.test(domain)) return undefined
    const ascii = domainToASCII(domain)
    if (ascii === '' || IP_ADDRESS.test(ascii)) return undefined
    // A label that is ASCII already is not looked into on the way there; on the way back a broken one stays as it is.
    return domainToUnicode(ascii).includes('xn--') ? undefined : ascii
  },
}
