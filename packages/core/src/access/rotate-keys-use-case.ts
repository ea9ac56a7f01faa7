import type { AuditTrail } from '../audit/audit-trail.ts'
import { KeysNotRotatable } from '../errors.ts'
import { DAY, type Instant, SECOND } from '../instant.ts'
import type { Clock } from '../ports/clock.ts'
import type { SigningKeyRing } from '../ports/signing-key-ring.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import type { AccessControl } from './access-control.ts'
import type { Caller } from './caller.ts'
import { LONGEST_TOKEN_LIFETIME } from './issue-token-use-case.ts'

export interface RotateKeysCommand {
  /** Whether every token issued so far is to be refused. */
  readonly revoke: boolean
}

export interface RotatedKeys {
  /** Of the key that signs from now on. */
  readonly keyId: string
  /** When the last token of the keys before it will have expired; undefined where they were revoked. */
  readonly verifyUntil: Instant | undefined
}

// An instance elsewhere may sign with the key before for a moment more, and by another clock.
const SLACK = DAY

export class RotateKeysUseCase {
  readonly #access: AccessControl
  readonly #keyRing: SigningKeyRing
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail
  readonly #clock: Clock

  constructor(ports: {
    access: AccessControl
    keyRing: SigningKeyRing
    unitOfWork: UnitOfWork
    trail: AuditTrail
    clock: Clock
  }) {
    this.#access = ports.access
    this.#keyRing = ports.keyRing
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
    this.#clock = ports.clock
  }

  /**
   * Begins to sign with a new key.
   * @throws {OwnTokensOff} an identity provider issues the tokens
   * @throws {KeysNotRotatable} the keys are not kept by this service, or cannot be written
   */
  async execute({ revoke }: RotateKeysCommand, caller: Caller): Promise<RotatedKeys> {
    this.#access.require(caller, 'keys:rotate', { action: 'key.rotate' })
    const key = await this.#keyRing.makeKey()
    const attempt = { action: 'key.rotate', target: key.keyId } as const
    const reason = revoke ? 'earlier keys revoked' : undefined
    // The record is first: a crash between leaves one of a change that did not come about, never a change without one.
    await this.#unitOfWork.run(({ audit }) => this.#trail.done(audit, caller, attempt, reason))
    const verifyUntil = this.#clock.now() + LONGEST_TOKEN_LIFETIME * SECOND + SLACK
    try {
      await key.takeOver({ revoke, verifyUntil })
    } catch (error) {
      if (error instanceof KeysNotRotatable) this.#access.refused(caller, attempt, error)
      throw error
    }
    return { keyId: key.keyId, verifyUntil: revoke ? undefined : verifyUntil }
  }
}
