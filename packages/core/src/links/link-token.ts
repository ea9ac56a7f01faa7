import { LinkNotValid } from '../errors.ts'
import { HOUR, type Instant } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import { membersOf, type SignUpGroup, type SignUpGroupReader } from '../sign-up/sign-up-group-store.ts'
import type { Subscription, SubscriptionReader } from '../subscriptions/subscription.ts'
import { asSubscriptionId, idInDecimal, type SubscriptionId } from '../subscriptions/subscription-id.ts'
import { type LinkSigning, signerOf, withSignature } from './link-keys.ts'
import type { GroupPurpose, LinkPurpose, MovePurpose, TokenPurpose } from './link-purpose.ts'

export interface LinkClaims {
  /** In a preferences link, one of the address's subscriptions: the address is known by it. */
  readonly id: SubscriptionId
  /** Only in links that confirm, refuse, move or undo a move. */
  readonly episode: string | undefined
  /** In place of the episode, if the mail was about several feeds of one form. */
  readonly group: SignUpGroup | undefined
  /**
   * In whole seconds; not in links to unsubscribe or manage, which never expire. Never later than what a key that signs no
   * more is good for.
   */
  readonly expiresAt: Instant | undefined
}

const DIGITS = 32
const TIMED =
  /^(?<id>[1-9]\d{0,15})\.(?:(?<episode>[0-9a-f]{16})|g(?<group>[0-9a-f]{16}))\.(?<seconds>[1-9]\d{0,11})\.(?<key>[1-9a-z][0-9a-z]{0,3})(?<mac>[0-9a-f]{32})$/
const UNTIMED = /^(?<id>[1-9]\d{0,15})\.(?<key>[1-9a-z][0-9a-z]{0,3})(?<mac>[0-9a-f]{32})$/
/** One spelling each, so that no two tokens mean the same. */
const SHAPES: Readonly<Record<TokenPurpose, RegExp>> = {
  confirm: TIMED,
  refuse: TIMED,
  move: TIMED,
  undo: TIMED,
  preferences: /^(?<id>[1-9]\d{0,15})\.(?<seconds>[1-9]\d{0,11})\.(?<key>[1-9a-z][0-9a-z]{0,3})(?<mac>[0-9a-f]{32})$/,
  unsubscribe: UNTIMED,
  manage: UNTIMED,
}

/** How long a link to preferences lives, from when it is sent. */
export const PREFERENCES_LIFE = 1 * HOUR

/** Signs and reads the tokens in mailed links. Nothing of them is stored. */
export class LinkTokens {
  readonly #signing: LinkSigning

  constructor(signing: LinkSigning) {
    this.#signing = signing
  }

  /** The token for a purpose, bound to this subscription and, but for unsubscribing, to this episode. */
  sign(
    purpose: LinkPurpose | MovePurpose,
    { id, episode, expiresAt }: Pick<Subscription, 'id' | 'episode' | 'expiresAt'>,
  ): string {
    if (purpose === 'unsubscribe') return this.signId(purpose, id)
    return this.#signed(purpose, `${id}.${episode}.${secondsOf(expiresAt ?? 0)}`)
  }

  /** The token for a purpose, bound to this subscription and to the group that it is of. */
  signGroup(purpose: GroupPurpose, { id }: Pick<Subscription, 'id'>, group: SignUpGroup, expiresAt: Instant): string {
    return this.#signed(purpose, `${id}.g${group}.${secondsOf(expiresAt)}`)
  }

  /** The token for a purpose, bound to this subscription whatever becomes of it. */
  signId(purpose: 'unsubscribe' | 'manage', id: SubscriptionId): string {
    return this.#signed(purpose, idInDecimal(id))
  }

  /** The token that opens the preferences of the owner of this subscription. */
  signPreferences(id: SubscriptionId, expiresAt: Instant): string {
    return this.#signed('preferences', `${id}.${secondsOf(expiresAt)}`)
  }

  /** The claims of the token, or undefined if it has no valid signature for this purpose. Expiry is not checked. */
  read(purpose: TokenPurpose, token: string): LinkClaims | undefined {
    const parts = SHAPES[purpose].exec(token)?.groups
    const id = asSubscriptionId(parts?.id ?? '')
    if (!parts || id === undefined) return undefined
    const key = signerOf(this.#signing, purpose, token, parts)
    if (key === undefined) return undefined
    const { episode, group, seconds } = parts
    if (seconds === undefined) return { id, episode, group, expiresAt: undefined }
    return { id, episode, group, expiresAt: Math.min(Number(seconds) * 1000, key.timedUntil ?? Infinity) }
  }

  #signed(purpose: TokenPurpose, claims: string): string {
    return withSignature(this.#signing, purpose, claims, DIGITS)
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

/** One of those that the link was made for, in whatever episode. */
export const knownByLink = async (
  { id, group }: LinkClaims,
  stores: { readonly subscriptions: SubscriptionReader; readonly signUpGroups: SignUpGroupReader },
): Promise<Subscription | undefined> => {
  const known = await stores.subscriptions.find(id)
  if (known !== undefined || group === undefined) return known
  const [other] = await membersOf(stores.signUpGroups, group)
  return other && (await stores.subscriptions.find(other.id))
}

/** What a link is about, one after another: of a form that asked for several feeds, those that it is good for. */
export const subscriptionsOfLink = async (
  claims: Pick<LinkClaims, 'id' | 'episode' | 'group'>,
  stores: { readonly subscriptions: SubscriptionReader; readonly signUpGroups: SignUpGroupReader },
): Promise<readonly Subscription[]> => {
  if (claims.group === undefined) {
    const subscription = await subscriptionOf(claims, stores.subscriptions)
    return subscription === undefined ? [] : [subscription]
  }
  const found: Subscription[] = []
  for (const { id, episode } of await membersOf(stores.signUpGroups, claims.group)) {
    const subscription = episode === undefined ? undefined : await stores.subscriptions.find(id)
    if (subscription?.episode === episode && subscription !== undefined) found.push(subscription)
  }
  return found
}

/** The subscription that the link is about, in the episode that it was made for; else undefined. */
export const subscriptionOf = async (
  claims: Pick<LinkClaims, 'id' | 'episode'>,
  subscriptions: SubscriptionReader,
): Promise<Subscription | undefined> => {
  const subscription = await subscriptions.find(claims.id)
  return claims.episode === undefined || subscription?.episode === claims.episode ? subscription : undefined
}
