import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { KeysNotRotatable } from '../errors.ts'
import { DAY, type Instant, SECOND } from '../instant.ts'
import { LONGEST_LINK_LIFE } from '../links/link-keys.ts'
import { UseCase } from '../use-case.ts'
import { LONGEST_TOKEN_LIFETIME, type NewSigningKey } from './access-token-ports.ts'

export interface RotateKeysCommand {
  /** Whether everything signed so far is to be refused. */
  readonly revoke: boolean
}

export interface RotatedKeys {
  /** The id of the key that signs from now on. */
  readonly keyId: string
  /** When the last that the keys before it signed will have expired; undefined if they were revoked. */
  readonly verifyUntil: Instant | undefined
}

// An instance elsewhere may sign with the key before for a moment more, and by another clock.
const SLACK = DAY

type Ports = 'access' | 'unitOfWork' | 'trail' | 'clock'

interface Rotation extends RotateKeysCommand {
  readonly action: 'key.rotate' | 'secret.rotate'
  /** Milliseconds that what the keys before have signed lives at most. */
  readonly life: number
}

/** Brings a new key into use, and puts that on record. */
const rotate = async (
  { access, unitOfWork, trail, clock }: Pick<Dependencies, Ports>,
  { keyId, takeOver }: NewSigningKey,
  { action, revoke, life }: Rotation,
  caller: Caller,
): Promise<RotatedKeys> => {
  const attempt = { action, target: keyId } as const
  const reason = revoke ? 'earlier keys revoked' : undefined
  // The record is first: a crash in between leaves a record without a change, never a change without a record.
  await unitOfWork.run(({ audit }) => trail.done(audit, caller, attempt, reason))
  const verifyUntil = clock.now() + life + SLACK
  try {
    await takeOver({ revoke, verifyUntil })
  } catch (error) {
    if (error instanceof KeysNotRotatable) access.refused(caller, attempt, error)
    throw error
  }
  return { keyId, verifyUntil: revoke ? undefined : verifyUntil }
}

export class RotateKeysUseCase extends UseCase<Ports | 'keyRing'> {
  static readonly permission = 'keys:rotate'
  static readonly action = 'key.rotate'

  /**
   * Begins to sign access tokens with a new key.
   * @throws {KeysNotRotatable} the keys are not kept by this service, or cannot be written, or an identity provider signs
   */
  async execute({ revoke }: RotateKeysCommand, caller: Caller): Promise<RotatedKeys> {
    const { access, keyRing, unitOfWork, clock } = this.ports
    await access.require(caller, RotateKeysUseCase)
    const key = await keyRing.makeKey()
    const now = clock.now()
    const { action } = RotateKeysUseCase
    const life = LONGEST_TOKEN_LIFETIME * SECOND
    const rotated = await rotate(this.ports, key, { action, revoke, life }, caller)
    if (revoke) await unitOfWork.run(({ accessTokens }) => accessTokens.noteKeysRevoked(now))
    return rotated
  }
}

export class RotateSecretUseCase extends UseCase<Ports | 'linkKeys'> {
  static readonly permission = 'keys:rotate'
  static readonly action = 'secret.rotate'

  /**
   * Begins to sign links with a new key. Links of the keys before are good until they expire, those to unsubscribe or
   * manage for ever; with `revoke`, none of them.
   * @throws {KeysNotRotatable} the keys are not kept by this service, or cannot be written
   */
  async execute({ revoke }: RotateKeysCommand, caller: Caller): Promise<RotatedKeys> {
    const { action } = RotateSecretUseCase
    await this.ports.access.require(caller, RotateSecretUseCase)
    const key = await this.ports.linkKeys.makeKey()
    return await rotate(this.ports, key, { action, revoke, life: LONGEST_LINK_LIFE }, caller)
  }
}
