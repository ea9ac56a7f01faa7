import { LinkNotValid } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { LinkClaims, LinkPurpose, LinkTokens, PreferencesClaims } from './link-token.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionReader } from './subscription-store.ts'

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
