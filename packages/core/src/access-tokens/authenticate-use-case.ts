import type { Caller, Channel } from '../access/caller.ts'
import { Unauthenticated } from '../errors.ts'
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
 * once, and a token of a deleted user is refused however long it would last.
 */
export class AuthenticateUseCase extends UseCase<'verifier', 'users'> {
  /** @throws {Unauthenticated} no token, or one that is not valid, or whose subject is not a user id or was deleted */
  async execute({ token, channel, requestId }: AuthenticateCommand): Promise<Caller> {
    if (token === undefined)
      throw new Unauthenticated("Send an access token: 'Authorization: Bearer <ACCESS_TOKEN>'.", {
        tokenRefused: false,
      })
    return await liveCaller(this.ports.readers.users, await this.ports.verifier.verify(token), { channel, requestId })
  }
}

/**
 * Who verified claims speak for now. A session of the console is asked the same on every request.
 * @throws {Unauthenticated} the subject is not a user id, or was deleted
 */
export const liveCaller = async (
  users: Pick<UserReader, 'accountStatus'>,
  { subject, roles, tokenId, issuedAt }: VerifiedToken,
  { channel, requestId }: Pick<Caller, 'channel' | 'requestId'>,
): Promise<Caller> => {
  if (asUserId(subject) === undefined)
    throw refusal('sub', 'The subject of this token can never be a user id. Use the token of another user.')
  const accountStatus = await users.accountStatus(subject)
  if (accountStatus === 'deleted')
    throw refusal('user', 'The user of this token was deleted. Use the token of another user.')
  const notBefore = accountStatus?.tokensNotBefore
  if (notBefore !== undefined && !(issuedAt !== undefined && issuedAt > notBefore))
    throw refusal('user', 'The user of this token was deleted after it was issued. Get a new token.')
  return accountStatus === undefined
    ? { id: subject, roles, roleSource: 'token', channel, tokenId, requestId }
    : { id: subject, roles: accountStatus.roles, roleSource: 'stored', channel, tokenId, requestId }
}

const refusal = (failedCheck: string, message: string): Unauthenticated =>
  new Unauthenticated(message, { tokenRefused: true, failedCheck })
