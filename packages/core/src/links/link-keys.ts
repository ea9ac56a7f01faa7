import type { NewSigningKey } from '../access-tokens/access-token-ports.ts'
import { DAY, type Instant } from '../instant.ts'
import type { Digests } from '../platform/digests.ts'
import type { TokenPurpose } from './link-purpose.ts'

/** What is signed with a link key. A signature for one purpose proves nothing for another. */
export type LinkKeyPurpose = TokenPurpose | 'bounce-address'

/** No link that expires lives longer. */
export const LONGEST_LINK_LIFE = 366 * DAY

/** A key that signs links, or did. */
export interface LinkKey {
  /** As `LINK_KEY_ID` has it. */
  readonly id: string
  /** Set of a key that signs no more: from then on it is good only for links that never expire. */
  readonly timedUntil: Instant | undefined
  /** HMAC-SHA-256 (RFC 2104) under the key made of this one for the purpose, 64 lower-case hexadecimal characters. */
  hmac(purpose: LinkKeyPurpose, text: string): string
}

/** Short, because it is part of every link, and of addresses whose case may be changed on the way. */
export const LINK_KEY_ID = /^[1-9a-z][0-9a-z]{0,3}$/

/**
 * The keys that links are signed with, and nothing else is; the instance's secret opens none of them. A revoked key is
 * not among them any more.
 */
export interface LinkKeys {
  /** What signs from now on; the same after every restart, and on every instance that shares the keys. */
  readonly current: LinkKey
  find(id: string): LinkKey | undefined
  /**
   * Makes a new key; nothing else changes before it takes over. Those before stay for links that never expire, unless
   * they are revoked.
   * @throws {KeysNotRotatable} the keys are not kept by this service
   */
  makeKey(): Promise<NewSigningKey>
}

/** What links and addresses need to be signed, and checked. */
export interface LinkSigning {
  readonly linkKeys: LinkKeys
  readonly digests: Pick<Digests, 'equal'>
}

/** The claims, the id of the key, and of the signature of both as many digits: the last part needs no separator. */
export const withSignature = (
  { linkKeys: { current } }: LinkSigning,
  purpose: LinkKeyPurpose,
  claims: string,
  digits: number,
): string => {
  const signed = `${claims}.${current.id}`
  return signed + current.hmac(purpose, signed).slice(0, digits)
}

/** The key that made the signature at the end of the text; undefined if none of ours did for this purpose. */
export const signerOf = (
  { linkKeys, digests }: LinkSigning,
  purpose: LinkKeyPurpose,
  text: string,
  { key: id = '', mac = '' }: { readonly key?: string; readonly mac?: string },
): LinkKey | undefined => {
  const key = linkKeys.find(id)
  if (key === undefined || mac === '') return undefined
  const expected = key.hmac(purpose, text.slice(0, -mac.length)).slice(0, mac.length)
  return digests.equal(expected, mac) ? key : undefined
}
