import { LinkNotValid } from '../errors.ts'
import { HOUR, type Instant } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import type { Digests } from '../platform/digests.ts'
import type { SignUpGroup, SignUpGroupReader } from './sign-up-group.ts'
import { asSubscriptionId, idInDecimal, type Subscription, type SubscriptionId } from './subscription.ts'
import type { SubscriptionReader } from './subscription-store.ts'

/** The purpose of a link. A token for one purpose is not valid for another. */
export type LinkPurpose = 'confirm' | 'refuse' | 'unsubscribe'

/** The purpose of a link that is about a change of address. */
export type MovePurpose = 'move' | 'undo'

export type TokenPurpose = LinkPurpose | MovePurpose | 'preferences' | 'manage'

/** Purposes of links that are good for several feeds. */
export type GroupPurpose = Exclude<LinkPurpose, 'unsubscribe'>

/** The claims of a valid token. */
export interface LinkClaims {
  /** In a preferences link, one of the address's subscriptions: the address is known by it. */
  readonly id: SubscriptionId
  /** Only in links that confirm, refuse, move or undo a move. */
  readonly episode: string | undefined
  /** In place of the episode, where the mail was about several feeds of one form. */
  readonly group: SignUpGroup | undefined
  /** Whole seconds since 1970; not in links to unsubscribe or manage, which never expire. */
  readonly expiresAt: Instant | undefined
}

const TIMED =
  /^(?<id>[1-9]\d{0,15})\.(?:(?<episode>[0-9a-f]{16})|g(?<group>[0-9a-f]{16}))\.(?<seconds>[1-9]\d{0,11})\.(?<mac>[0-9a-f]{32})$/
const UNTIMED = /^(?<id>[1-9]\d{0,15})\.(?<mac>[0-9a-f]{32})$/
/** One spelling each, so that no two tokens mean the same. */
const SHAPES: Readonly<Record<TokenPurpose, RegExp>> = {
  confirm: TIMED,
  refuse: TIMED,
  move: TIMED,
  undo: TIMED,
  preferences: /^(?<id>[1-9]\d{0,15})\.(?<seconds>[1-9]\d{0,11})\.(?<mac>[0-9a-f]{32})$/,
  unsubscribe: UNTIMED,
  manage: UNTIMED,
}

/** How long a link to preferences lives, from when it is sent. */
export const PREFERENCES_LIFE = 1 * HOUR

/** Signs and reads the tokens in mailed links. Nothing of them is stored. */
export class LinkTokens {
  readonly #digests: Digests

  constructor(digests: Digests) {
    this.#digests = digests
  }

  /** The token for a purpose, bound to this subscription and, but for unsubscribing, to this episode. */
  sign(
    purpose: LinkPurpose | MovePurpose,
    { id, episode, expiresAt }: Pick<Subscription, 'id' | 'episode' | 'expiresAt'>,
  ): string {
    if (purpose === 'unsubscribe') return this.signId(purpose, id)
    const claims = `${id}.${episode}.${secondsOf(expiresAt ?? 0)}`
    return `${claims}.${this.#mac(purpose, claims)}`
  }

  /** The token for a purpose, bound to this subscription and to the group that it is of. */
  signGroup(purpose: GroupPurpose, { id }: Pick<Subscription, 'id'>, group: SignUpGroup, expiresAt: Instant): string {
    const claims = `${id}.g${group}.${secondsOf(expiresAt)}`
    return `${claims}.${this.#mac(purpose, claims)}`
  }

  /** The token for a purpose, bound to this subscription whatever becomes of it. */
  signId(purpose: 'unsubscribe' | 'manage', id: SubscriptionId): string {
    const claims = idInDecimal(id)
    return `${claims}.${this.#mac(purpose, claims)}`
  }

  /** The token that opens the preferences of the owner of this subscription. */
  signPreferences(id: SubscriptionId, expiresAt: Instant): string {
    const claims = `${id}.${secondsOf(expiresAt)}`
    return `${claims}.${this.#mac('preferences', claims)}`
  }

  /** The claims of the token, or undefined if it has no valid signature for this purpose. Expiry is not checked. */
  read(purpose: TokenPurpose, token: string): LinkClaims | undefined {
    const parts = SHAPES[purpose].exec(token)?.groups
    const id = asSubscriptionId(parts?.id ?? '')
    if (!parts || id === undefined) return undefined
    const { episode, group, seconds, mac = '' } = parts
    if (!this.#digests.equal(this.#mac(purpose, token.slice(0, -1 - mac.length)), mac)) return undefined
    return { id, episode, group, expiresAt: seconds === undefined ? undefined : Number(seconds) * 1000 }
  }

  #mac(purpose: TokenPurpose, claims: string): string {
    return this.#digests.hmac(`link-${purpose}`, claims).slice(0, 32)
  }
}

const secondsOf = (instant: Instant): number => Math.ceil(instant / 1000)

/** Recognises links that this service signed and that have not expired. Does not read storage. */
export class SignedLinks {
  readonly #tokens: LinkTokens
  readonly #clock: Clock

  constructor(tokens: LinkTokens, clock: Clock) {
    this.#tokens = tokens
    this.#clock = clock
  }

  /**
   * The claims of the link. It may still have been superseded: the use case that follows it finds out.
   * @throws {LinkNotValid} it was not signed for this purpose, or its time is over
   */
  require(purpose: TokenPurpose, token: string): LinkClaims {
    const claims = this.#tokens.read(purpose, token)
    if (!claims || (claims.expiresAt !== undefined && claims.expiresAt <= this.#clock.now())) throw new LinkNotValid()
    return claims
  }
}

/** What a link is about, one after another: of a form that asked for several feeds, those that it is good for. */
export const subscriptionsOfLink = async (
  claims: LinkClaims,
  stores: { readonly subscriptions: SubscriptionReader; readonly signUpGroups: SignUpGroupReader },
): Promise<readonly Subscription[]> => {
  if (claims.group === undefined) {
    const subscription = await subscriptionOf(claims, stores.subscriptions)
    return subscription === undefined ? [] : [subscription]
  }
  const found: Subscription[] = []
  for (const { id, episode } of await stores.signUpGroups.members(claims.group)) {
    const subscription = episode === undefined ? undefined : await stores.subscriptions.find(id)
    if (subscription?.episode === episode && subscription !== undefined) found.push(subscription)
  }
  return found
}

/** The subscription that the link is about, in the episode that it was made for; else undefined. */
export const subscriptionOf = async (
  claims: LinkClaims,
  subscriptions: SubscriptionReader,
): Promise<Subscription | undefined> => {
  const subscription = await subscriptions.find(claims.id)
  return claims.episode === undefined || subscription?.episode === claims.episode ? subscription : undefined
}
