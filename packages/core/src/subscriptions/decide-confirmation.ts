import { InvalidInput, LinkNotValid } from '../errors.ts'
import type { FeedName } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import type { LinkClaims } from '../links/link-token.ts'
import type { SignUpGroupMember } from '../sign-up/sign-up-group-store.ts'
import { asConfirmed, isExpired, type Subscription } from './subscription.ts'
import type { SubscriptionId } from './subscription-id.ts'

/** A confirmation link that is pressed. */
export interface Confirmation {
  readonly claims: LinkClaims
  /** Which of the feeds that the link is for; by default all. */
  readonly feeds: readonly string[] | undefined
}

/** What is stored of a link. */
export interface ConfirmationFacts {
  readonly subscriptions: ReadonlyMap<SubscriptionId, Subscription>
  /** Of the group that the link is for, if it is for one. */
  readonly members: readonly SignUpGroupMember[]
  /** The feeds that are not being deleted. */
  readonly standing: ReadonlySet<FeedName>
}

export interface ConfirmationChanges {
  /** All that are confirmed now. */
  readonly confirmed: readonly Subscription[]
  /** Those among them that were pending. */
  readonly began: readonly Subscription[]
}

/**
 * pending -> confirmed, once; one that is confirmed stays as it is. A link for several feeds is good for those that are
 * still in the episode that it was made for. The link of one feed has its own end, which is judged before
 * (`SignedLinks.require`).
 * @throws {LinkNotValid} it has expired or was superseded, or the feed is being deleted
 * @throws {InvalidInput} none of the feeds that it is for is chosen
 */
export const decideConfirmation = (
  facts: ConfirmationFacts,
  { claims, feeds }: Confirmation,
  now: Instant,
): ConfirmationChanges => {
  const found = subscriptionsOf(facts, claims)
  const good = found.filter((one) => one.status !== 'ended' && !(claims.group && isExpired(one, now)))
  if (good.length === 0) throw new LinkNotValid()
  const possible = chosenOf(good, feeds).filter(
    ({ status, feed }) => status === 'confirmed' || facts.standing.has(feed),
  )
  if (possible.length === 0) throw new LinkNotValid()
  const confirmed = possible.map((one) => (one.status === 'confirmed' ? one : asConfirmed(one, now)))
  return { confirmed, began: confirmed.filter((one) => !possible.includes(one)) }
}

const subscriptionsOf = (
  { subscriptions, members }: ConfirmationFacts,
  claims: LinkClaims,
): readonly Subscription[] => {
  const { id, episode, group } = claims
  const wanted = group === undefined ? [{ id, episode }] : members
  return wanted.flatMap((one) => {
    const subscription = subscriptions.get(one.id)
    return subscription !== undefined && subscription.episode === one.episode ? [subscription] : []
  })
}

const chosenOf = (found: readonly Subscription[], feeds: readonly string[] | undefined): readonly Subscription[] => {
  const chosen = feeds === undefined ? found : found.filter(({ feed }) => feeds.includes(feed))
  if (chosen.length > 0) return chosen
  const names = found.map(({ feed }) => feed).join(', ')
  throw new InvalidInput([{ field: 'feeds', message: `Choose at least one of these: ${names}.` }])
}
