import { domainToASCII, domainToUnicode } from 'node:url'

// Node maps names by parsing them as the host of a URL; these would end the host, or be decoded.
const MEANS_SOMETHING_IN_A_URL = /[\s#%/:<>?@[\\\]^`{|}]/
const IP_ADDRESS = /^\d+(?:\.\d+){3}$/

/** UTS #46 by Node's own URL parser, kept from taking anything but a name for a name. */
export const nodeDomainNames = {
  toAscii: (domain: string): string | undefined => {
    if (MEANS_SOMETHING_IN_A_URL.test(domain)) return undefined
    const ascii = domainToASCII(domain)
    if (ascii === '' || IP_ADDRESS.test(ascii)) return undefined
    // A label that is ASCII already is not looked into on the way there; on the way back a broken one stays as it is.
    return domainToUnicode(ascii).includes('xn--') ? undefined : ascii
  },
}
