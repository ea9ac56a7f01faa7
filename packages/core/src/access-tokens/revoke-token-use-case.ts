import type { Caller } from '../access/caller.ts'
import { TokenNotFound } from '../errors.ts'
import { DAY, SECOND } from '../instant.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { UseCase } from '../use-case.ts'
import { VISIBLE_ASCII } from '../users/user.ts'
import { LONGEST_TOKEN_LIFETIME } from './access-token-ports.ts'

export interface RevokeTokenCommand {
  /** The token's `jti`. */
  readonly tokenId: string
  readonly precondition?: Precondition<unknown> | undefined
}

// Clocks differ.
const SLACK = DAY

export class RevokeTokenUseCase extends UseCase<'access' | 'clock' | 'unitOfWork' | 'trail'> {
  static readonly permission = 'tokens:revoke'
  static readonly action = 'token.revoke'

  /** The issuer of a token chose its id; an address in it would stay in the trail for ever. */
  static targetOf(tokenId: string): string {
    return tokenId.includes('@') ? '<address>' : tokenId
  }

  /**
   * Refuses a token from now on: when it resolves, every instance does. Also one that is not listed, such as an identity
   * provider's; that is remembered for as long as a token of ours can live. Again is no error.
   * @throws {TokenNotFound} no token can have this id
   */
  async execute({ tokenId, precondition }: RevokeTokenCommand, caller: Caller): Promise<void> {
    const attempt = await this.ports.access.require(caller, RevokeTokenUseCase, RevokeTokenUseCase.targetOf(tokenId))
    if (!VISIBLE_ASCII.test(tokenId)) throw new TokenNotFound()
    await this.ports.unitOfWork.run(async ({ accessTokens, audit }) => {
      const at = this.ports.clock.now()
      const listed = await accessTokens.find(tokenId)
      requireCondition(precondition, listed)
      const end = listed?.expiresAt ?? at + LONGEST_TOKEN_LIFETIME * SECOND
      await accessTokens.revoke({ tokenId, at, until: end + SLACK })
      const reason = listed && `subject ${listed.subject}`
      await this.ports.trail.done(audit, caller, attempt, reason)
    })
  }
}
