import { LinkNotValid } from '../errors.ts'
import type { Instant } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import type { Digests, KeyPurpose } from '../platform/digests.ts'
import { asSubscriptionId, type Subscription, type SubscriptionId } from './subscription.ts'
import type { SubscriptionReader } from './subscription-store.ts'

/** The purpose of a link. A token for one purpose is not valid for another. */
export type LinkPurpose = 'confirm' | 'refuse' | 'unsubscribe'

/** The claims of a preferences link. */
export interface PreferencesClaims {
  /** One of the address's subscriptions: the address is known by it. */
  readonly id: SubscriptionId
  readonly expiresAt: Instant
}

/** The claims of a valid token. */
export interface LinkClaims {
  readonly id: SubscriptionId
  /** Not in unsubscribe links: they are good for ever. */
  readonly episode: string | undefined
  /** Whole seconds since 1970; not in unsubscribe links. */
  readonly expiresAt: Instant | undefined
}

const KEY = {
  confirm: 'link-confirm',
  refuse: 'link-refuse',
  unsubscribe: 'link-unsubscribe',
} as const satisfies Record<LinkPurpose, KeyPurpose>
const PREFERENCES = /^([1-9]\d{0,15})\.([1-9]\d{0,11})\.([0-9a-f]{32})$/
// <id>.<episode>.<expiry>.<mac>, or <id>.<mac> to unsubscribe: one spelling each, so that no two tokens mean the same.
const TIMED = /^([1-9]\d{0,15})\.([0-9a-f]{16})\.([1-9]\d{0,11})\.([0-9a-f]{32})$/
const TIMELESS = /^([1-9]\d{0,15})\.([0-9a-f]{32})$/

/** Signs and reads the tokens in mailed links. Nothing of them is stored. */
export class LinkTokens {
  readonly #digests: Digests

  constructor(digests: Digests) {
    this.#digests = digests
  }

  /** The token for a purpose, bound to this subscription and, but for unsubscribing, to this episode. */
  sign(purpose: LinkPurpose, { id, episode, expiresAt }: Subscription): string {
    const seconds = Math.ceil((expiresAt ?? 0) / 1000)
    const claims = purpose === 'unsubscribe' ? `${id}` : `${id}.${episode}.${seconds}`
    return `${claims}.${this.#mac(KEY[purpose], claims)}`
  }

  /** The claims of the token, or undefined if it has no valid signature for this purpose. Expiry is not checked. */
  read(purpose: LinkPurpose, token: string): LinkClaims | undefined {
    const parts = (purpose === 'unsubscribe' ? TIMELESS : TIMED).exec(token)
    if (!parts) return undefined
    const claims = token.slice(0, token.lastIndexOf('.'))
    const genuine = this.#digests.equal(this.#mac(KEY[purpose], claims), token.slice(claims.length + 1))
    const id = asSubscriptionId(parts[1] ?? '')
    if (!genuine || id === undefined) return undefined
    if (purpose === 'unsubscribe') return { id, episode: undefined, expiresAt: undefined }
    return { id, episode: parts[2], expiresAt: Number(parts[3]) * 1000 }
  }

  /** The token that opens the preferences of the owner of this subscription. */
  signPreferences(id: SubscriptionId, expiresAt: Instant): string {
    const claims = `${id}.${Math.ceil(expiresAt / 1000)}`
    return `${claims}.${this.#mac('link-preferences', claims)}`
  }

  /** The claims of the token, or undefined if it has no valid signature. Expiry is not checked. */
  readPreferences(token: string): PreferencesClaims | undefined {
    const parts = PREFERENCES.exec(token)
    if (!parts) return undefined
    const [, id = '', seconds = '', mac = ''] = parts
    const genuine = this.#digests.equal(this.#mac('link-preferences', `${id}.${seconds}`), mac)
    const subscriptionId = asSubscriptionId(id)
    if (!genuine || subscriptionId === undefined) return undefined
    return { id: subscriptionId, expiresAt: Number(seconds) * 1000 }
  }

  #mac(key: KeyPurpose, claims: string): string {
    return this.#digests.hmac(key, claims).slice(0, 32)
  }
}

/**
 * The claims of a valid link that has not expired.
 * @throws {LinkNotValid} it has no valid signature for this purpose, or has expired
 */
export const liveClaims = (tokens: LinkTokens, purpose: LinkPurpose, token: string, clock: Clock): LinkClaims => {
  const claims = tokens.read(purpose, token)
  if (!claims || (claims.expiresAt !== undefined && claims.expiresAt <= clock.now())) throw new LinkNotValid()
  return claims
}

/**
 * The claims of a valid preferences link that has not expired.
 * @throws {LinkNotValid} it was not signed as one, or its hour is over
 */
export const livePreferences = (tokens: LinkTokens, token: string, clock: Clock): PreferencesClaims => {
  const claims = tokens.readPreferences(token)
  if (!claims || claims.expiresAt <= clock.now()) throw new LinkNotValid()
  return claims
}

/** The subscription that the link is about, in the episode that it was made for; else undefined. */
export const subscriptionOf = async (
  claims: LinkClaims,
  subscriptions: SubscriptionReader,
): Promise<Subscription | undefined> => {
  const subscription = await subscriptions.find(claims.id)
  return claims.episode === undefined || subscription?.episode === claims.episode ? subscription : undefined
}

/** Recognises links that this service signed and that have not expired. Does not read storage. */
export class SignedLinks {
  readonly #tokens: LinkTokens
  readonly #clock: Clock

  constructor(tokens: LinkTokens, clock: Clock) {
    this.#tokens = tokens
    this.#clock = clock
  }

  /**
   * A link that passes may still have been superseded: the use case that follows it finds out.
   * @throws {LinkNotValid} it was not signed for this purpose, or its time is over
   */
  require(purpose: LinkPurpose | 'preferences', token: string): void {
    if (purpose === 'preferences') livePreferences(this.#tokens, token, this.#clock)
    else liveClaims(this.#tokens, purpose, token, this.#clock)
  }
}
