import type { Caller } from '../access/caller.ts'
import { KeysNotRotatable } from '../errors.ts'
import { DAY, type Instant, SECOND } from '../instant.ts'
import { UseCase } from '../use-case.ts'
import { LONGEST_TOKEN_LIFETIME } from './access-token-ports.ts'

export interface RotateKeysCommand {
  /** Whether every token issued so far is to be refused. */
  readonly revoke: boolean
}

export interface RotatedKeys {
  /** The id of the key that signs from now on. */
  readonly keyId: string
  /** When the last token of the keys before it will have expired; undefined where they were revoked. */
  readonly verifyUntil: Instant | undefined
}

// An instance elsewhere may sign with the key before for a moment more, and by another clock.
const SLACK = DAY

export class RotateKeysUseCase extends UseCase<'access' | 'keyRing' | 'unitOfWork' | 'trail' | 'clock'> {
  static readonly permission = 'keys:rotate'
  static readonly action = 'key.rotate'

  /**
   * Begins to sign with a new key.
   * @throws {OwnTokensOff} an identity provider issues the tokens
   * @throws {KeysNotRotatable} the keys are not kept by this service, or cannot be written
   */
  async execute({ revoke }: RotateKeysCommand, caller: Caller): Promise<RotatedKeys> {
    this.ports.access.require(caller, RotateKeysUseCase)
    const key = await this.ports.keyRing.makeKey()
    const attempt = { action: RotateKeysUseCase.action, target: key.keyId } as const
    const reason = revoke ? 'earlier keys revoked' : undefined
    // The record is first: a crash in between leaves a record without a change, never a change without a record.
    await this.ports.unitOfWork.run(({ audit }) => this.ports.trail.done(audit, caller, attempt, reason))
    const now = this.ports.clock.now()
    const verifyUntil = now + LONGEST_TOKEN_LIFETIME * SECOND + SLACK
    try {
      await key.takeOver({ revoke, verifyUntil })
    } catch (error) {
      if (error instanceof KeysNotRotatable) this.ports.access.refused(caller, attempt, error)
      throw error
    }
    if (revoke) await this.ports.unitOfWork.run(({ accessTokens }) => accessTokens.noteKeysRevoked(now))
    return { keyId: key.keyId, verifyUntil: revoke ? undefined : verifyUntil }
  }
}
