import { ADMIN, type Caller, type Channel, SENDER } from '../access/caller.ts'
import { Unauthenticated } from '../errors.ts'
import type { FeedName } from '../subscriptions/feed.ts'
import { UseCase } from '../use-case.ts'
import { asUserId } from '../users/user.ts'
import type { UserReader } from '../users/user-store.ts'
import type { VerifiedToken } from './access-token-ports.ts'

export interface AuthenticateCommand {
  /** The token as received, or undefined if none came. */
  readonly token: string | undefined
  readonly channel: Channel
  readonly requestId?: string | undefined
}

/**
 * Turns an access token into a caller. The database wins: a stored user has its stored roles, so a demotion holds at
 * once, and a token that was revoked, or of a deleted or suspended user, is refused however long it would last. Feeds are those of
 * the token.
 */
export class AuthenticateUseCase extends UseCase<'verifier' | 'tokenUses', 'users'> {
  /**
   * @throws {Unauthenticated} no token, or one that is not valid or was revoked, or whose subject is not a user id, was
   *   deleted or is suspended
   */
  async execute({ token, channel, requestId }: AuthenticateCommand): Promise<Caller> {
    if (token === undefined)
      throw new Unauthenticated("Send an access token: 'Authorization: Bearer <ACCESS_TOKEN>'.", {
        tokenRefused: false,
      })
    const verified = await this.ports.verifier.verify(token)
    const caller = await liveCaller(this.ports.readers.users, verified, { channel, requestId })
    if (verified.own === true && verified.tokenId !== undefined) this.ports.tokenUses.note(verified.tokenId)
    return caller
  }
}

/**
 * Who verified claims speak for now. A session of the console is asked the same on every request.
 * @throws {Unauthenticated} the subject is not a user id, or was deleted or is suspended, or the token was revoked
 */
export const liveCaller = async (
  users: Pick<UserReader, 'accountStatus'>,
  { subject, tokenId, issuedAt, roles: claimed, feeds }: VerifiedToken,
  { channel, requestId }: Pick<Caller, 'channel' | 'requestId'>,
): Promise<Caller> => {
  if (asUserId(subject) === undefined)
    throw refusal('sub', 'The subject of this token can never be a user id. Use the token of another user.')
  // One look for all of it: every request with a token waits for this.
  const accountStatus = await users.accountStatus(subject, tokenId)
  if (accountStatus === 'deleted')
    throw refusal('user', 'The user of this token was deleted. Use the token of another user.')
  if (accountStatus === 'revoked') throw refusal('revoked', 'This token was revoked. Get a new one.')
  if (accountStatus === 'suspended') throw refusal('user', 'The user of this token is suspended. Ask an administrator.')
  const notBefore = accountStatus?.tokensNotBefore
  if (notBefore !== undefined && !(issuedAt !== undefined && issuedAt > notBefore))
    throw refusal('user', 'The user of this token was deleted or suspended after it was issued. Get a new token.')
  const granted = accountStatus?.roles ?? claimed
  const roleSource = accountStatus === undefined ? 'token' : 'stored'
  const bound = feedsOf(granted, feeds)
  // Other roles read what no feed keeps apart. They may have been granted after the token was bound.
  const roles = bound !== undefined && granted.includes(SENDER) ? [SENDER] : granted
  return { id: subject, roles, roleSource, channel, tokenId, feeds: bound, requestId }
}

/**
 * What a caller with these roles is bound to. An administrator is bound to nothing, because the database wins; and where
 * tokens have no feeds although they should, that says something of senders only.
 */
const feedsOf = (roles: readonly string[], feeds: readonly string[] | undefined): readonly FeedName[] | undefined =>
  feeds === undefined || roles.includes(ADMIN) || (feeds.length === 0 && !roles.includes(SENDER))
    ? undefined
    : (feeds as readonly FeedName[])

const refusal = (failedCheck: string, message: string): Unauthenticated =>
  new Unauthenticated(message, { tokenRefused: true, failedCheck })
