import type { Caller } from '../access/caller.ts'
import { InvalidInput, UserDeleted } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import { parseUserId } from '../users/user.ts'
import type { IssuedToken } from './access-token-ports.ts'

export interface IssueTokenCommand {
  readonly subject: string
  readonly roles: readonly string[]
  /** Seconds, from 1 to 400 days. */
  readonly lifetime: number
}

/** Seconds. A verifier refuses a token that lives longer, also with a genuine signature. */
export const LONGEST_TOKEN_LIFETIME = 400 * 24 * 3600

const SUSPENDED = 'This user is suspended, so its tokens are refused. Resume it first.'

export class IssueTokenUseCase extends UseCase<'access' | 'issuer' | 'unitOfWork' | 'trail', 'users'> {
  static readonly permission = 'tokens:issue'
  static readonly action = 'token.issue'

  /**
   * Issues one access token; the trail has its id, never the token.
   * @throws {InvalidInput} the subject is not a user id or is suspended, a role is unknown, or the lifetime is out of range
   * @throws {UserDeleted} the subject was deleted: its tokens are refused for ever
   * @throws {OwnTokensOff} an identity provider issues the tokens
   */
  async execute({ subject, roles, lifetime }: IssueTokenCommand, caller: Caller): Promise<IssuedToken> {
    const attempt = this.ports.access.require(caller, IssueTokenUseCase, subject)
    const id = parseUserId(subject, 'subject')
    const known = this.ports.access.policy.parseRoles(roles)
    if (!(Number.isInteger(lifetime) && lifetime >= 1 && lifetime <= LONGEST_TOKEN_LIFETIME))
      throw new InvalidInput([{ field: 'ttl', message: 'Give a lifetime from 1s to 400d.' }])
    const status = await this.ports.readers.users.accountStatus(id)
    if (status === 'deleted') throw new UserDeleted()
    if (status === 'suspended') throw new InvalidInput([{ field: 'subject', message: SUSPENDED }])
    const issued = await this.ports.issuer.issue({ subject: id, roles: known, lifetime })
    const reason = `token ${issued.tokenId}`
    await this.ports.unitOfWork.run(({ audit }) => this.ports.trail.done(audit, caller, attempt, reason))
    return issued
  }
}
