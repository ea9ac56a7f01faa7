import { admitNow } from '../access/admit.ts'
import type { Caller, Channel } from '../access/caller.ts'
import { Unauthenticated } from '../errors.ts'
import { UseCase } from '../use-case.ts'

export interface AuthenticateCommand {
  /** The token as received, or undefined if none came. */
  readonly token: string | undefined
  readonly channel: Channel
  readonly requestId?: string | undefined
}

/** Turns an access token into a caller, as `admit` says. */
export class AuthenticateUseCase extends UseCase<'verifier' | 'uses', 'users'> {
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
    const { users } = this.ports.readers
    const caller = await admitNow(users, { ...verified, door: 'token' }, { channel, requestId })
    if (verified.own === true && verified.tokenId !== undefined) this.ports.uses.noteToken(verified.tokenId)
    if (caller.roleSource === 'stored') this.ports.uses.noteUser(caller.id)
    return caller
  }
}
