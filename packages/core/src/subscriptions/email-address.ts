import { InvalidInput } from '../errors.ts'
import type { Digests } from '../platform/digests.ts'
import type { DomainNames } from '../platform/domain-names.ts'
import { hasControlCharacter, withoutMargins } from '../text.ts'

/** A mail address that was checked. */
export interface EmailAddress {
  /**
   * In the spelling that goes on the wire: local part as submitted, domain as A-labels. This is what is stored and
   * handed on.
   */
  readonly value: string
  /** Two addresses are one if their keys are the same: the value in lower case. */
  readonly key: string
}

const LONGEST = 254
const LONGEST_LOCAL_PART = 64
const ASCII_DOMAIN = /^[a-z0-9.-]+$/
/** @see https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address */
const VALID =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** The domain of an address as A-labels in lower case; undefined if it has none. */
export const asciiDomain = (domain: string, domainNames: DomainNames): string | undefined => {
  const lower = domain.toLowerCase()
  return ASCII_DOMAIN.test(lower) && !lower.includes('xn--') ? lower : domainNames.toAscii(domain.normalize('NFC'))
}

/**
 * Reads a mail address, wherever it comes in: at most 254 bytes with its domain as A-labels, local part at most 64, and
 * valid under the rule of HTML's `<input type=email>` once white space and marks that are not seen are taken off its
 * ends and the domain is mapped.
 * @throws {InvalidInput}
 */
export const parseEmailAddress = (submitted: string, domainNames: DomainNames, field = 'email'): EmailAddress => {
  const invalid = (message: string): InvalidInput => new InvalidInput([{ field, message }])
  const text = withoutMargins(submitted)
  if (text === '') throw invalid('Give an e-mail address.')
  // Before anything that takes time in proportion to the length.
  if (text.length > 2 * LONGEST) throw invalid(`Use an address of at most ${LONGEST} bytes.`)
  if (hasControlCharacter(text) || !text.isWellFormed())
    throw invalid('Remove the control characters from the address.')
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const domain = asciiDomain(text.slice(at + 1), domainNames)
  if (at < 1 || domain === undefined) throw invalid('Give an address such as name@example.com.')
  const value = `${local}@${domain}`
  if (!VALID.test(value)) throw invalid('Give an address such as name@example.com.')
  if (value.length > LONGEST) throw invalid(`Use an address of at most ${LONGEST} bytes.`)
  if (local.length > LONGEST_LOCAL_PART) throw invalid(`Use at most ${LONGEST_LOCAL_PART} bytes before the @.`)
  return { value, key: value.toLowerCase() }
}

/** The text as an address; undefined if it cannot be read as one. */
export const asEmailAddress = (text: string, domainNames: DomainNames): EmailAddress | undefined => {
  try {
    return parseEmailAddress(text, domainNames)
  } catch (error) {
    if (error instanceof InvalidInput) return undefined
    throw error
  }
}

/** An address as a keyed hash: reveals nothing without the instance's secret, and outlives an erasure. */
export type AddressHash = string & { readonly __brand: 'AddressHash' }

export const addressHash = (digests: Digests, addressKey: string): AddressHash =>
  digests.hmac('address', addressKey).slice(0, 32) as AddressHash

export const ADDRESS_HASH = /^[0-9a-f]{32}$/

/** The text as the hash of an address, or undefined if it cannot be one. */
export const asAddressHash = (text: string): AddressHash | undefined =>
  ADDRESS_HASH.test(text) ? (text as AddressHash) : undefined
