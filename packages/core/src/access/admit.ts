import type { VerifiedToken } from '../access-tokens/access-token-ports.ts'
import { Unauthenticated } from '../errors.ts'
import type { FeedName } from '../feeds/feed.ts'
import { type AccountStatus, asUserId, type UserReader } from '../users/user.ts'
import { ADMIN, type Caller, OPERATOR_PREFIX, SENDER } from './caller.ts'

/**
 * The entrance that a caller came through: the command line of the machine itself, or a login link that an operator
 * printed for itself there (`operator`); a login link for a stored user (`link`); an access token, over HTTP or at a login.
 */
export type Door = 'operator' | 'link' | 'token'

/** What a caller showed there. */
export interface Entry extends Pick<VerifiedToken, 'subject' | 'feeds' | 'issuedAt' | 'opens'> {
  /** A fact of the entrance: nothing that a caller says of itself decides it. */
  readonly door: Door
  /** As the token has them; ignored if the user is stored. */
  readonly roles?: readonly string[] | undefined
  readonly tokenId?: string | undefined
}

type Circumstances = Pick<Caller, 'channel' | 'requestId'>

/**
 * Who that is now, and what it is bound to. Every entrance asks this, and a session asks it again on every request.
 *
 * The database wins: a stored user has its stored roles, so a demotion holds at once, and a token that was revoked, or of
 * a deleted or suspended user, is refused however long it would last. Feeds are those of the token.
 * @param status what is known of the subject and the token; an operator is stored nowhere
 * @throws {Unauthenticated} the subject can be no user, or was deleted or is suspended; the token was revoked, or is for
 *   another channel; or it is bound to feeds, at the console
 */
export const admit = (
  { door, subject, roles: claimed = [], feeds, tokenId, issuedAt = 0, opens }: Entry,
  status: AccountStatus,
  { channel, requestId }: Circumstances,
): Caller => {
  if (door === 'operator' && subject.startsWith(OPERATOR_PREFIX))
    return { id: subject, roles: [ADMIN], roleSource: 'operator', channel, requestId }
  if ((door !== 'token' && door !== 'link') || asUserId(subject) === undefined)
    throw refusal('sub', 'The subject of this token can never be a user id. Use the token of another user.')
  if (opens !== undefined && opens !== channel)
    throw refusal('channel', `This token is for ${opens} alone. Get one from the identity provider.`)
  // A login link has no roles of its own: if its user is not stored, its host has deleted it.
  if (status === 'deleted' || (status === undefined && door === 'link'))
    throw refusal('user', 'The user of this token was deleted. Use the token of another user.')
  if (status === 'revoked') throw refusal('revoked', 'This token was revoked. Get a new one.')
  if (status === 'suspended') throw refusal('user', 'The user of this token is suspended. Ask an administrator.')
  if (issuedAt <= (status?.tokensNotBefore ?? -1))
    throw refusal('user', 'The user of this token was deleted or suspended after it was issued. Get a new token.')
  const granted = status?.roles ?? claimed
  const bound = boundTo(granted, claimed, feeds)
  // The console shows all feeds.
  if (bound !== undefined && channel === 'console')
    throw refusal('feeds', 'This token is bound to feeds. Use the token of another user.')
  // Other roles read what no feed keeps apart. They may have been granted after the token was bound.
  const roles = bound === undefined ? granted : granted.filter((role) => role === SENDER)
  const roleSource = status ? 'stored' : 'token'
  const identityVersion = status?.version
  return { id: subject, roles, roleSource, channel, tokenId, feeds: bound, requestId, issuedAt, identityVersion }
}

/**
 * An administrator is bound to nothing, because the database wins; and where tokens have no feeds although they should,
 * that says something of senders only.
 */
const boundTo = (
  granted: readonly string[],
  claimed: readonly string[],
  feeds: readonly string[] | undefined,
): readonly FeedName[] | undefined => {
  if (feeds === undefined || granted.includes(ADMIN)) return undefined
  const isBound = feeds.length > 0 || [...granted, ...claimed].includes(SENDER)
  return isBound ? (feeds as readonly FeedName[]) : undefined
}

const refusal = (failedCheck: string, message: string): Unauthenticated =>
  new Unauthenticated(message, { tokenRefused: true, failedCheck })

/**
 * The same, with one look for all of it: every request with a token waits for this.
 * @throws {Unauthenticated}
 */
export const admitNow = async (
  users: Pick<UserReader, 'accountStatus'>,
  entry: Entry,
  circumstances: Circumstances,
): Promise<Caller> => {
  const status = entry.door === 'operator' ? undefined : await users.accountStatus(entry.subject, entry.tokenId)
  return admit(entry, status, circumstances)
}

/**
 * A caller that was admitted before, as it is now: what it does is done by nobody who was demoted or suspended meanwhile.
 * @throws {Unauthenticated} it was deleted or suspended, or its token was revoked
 */
export const admitAgain = (caller: Caller, status: AccountStatus): Caller => {
  const { id: subject, roles, roleSource, feeds, tokenId, issuedAt = Number.POSITIVE_INFINITY } = caller
  if (roleSource === 'operator') return caller
  if (status === undefined && roleSource === 'token') return caller
  // As by a login link: of others than those known by their token alone, one that its host has removed is no more.
  return admit({ door: 'link', subject, roles, feeds, tokenId, issuedAt }, status, caller)
}

/** A person who can run the command line on the machine itself: acts as `admin` under the name of the OS user. */
export const operator = (osUser: string): Caller =>
  admit({ door: 'operator', subject: `${OPERATOR_PREFIX}${osUser}` }, undefined, { channel: 'cli' })
