import type { AuditTrail } from '../audit/audit-trail.ts'
import { InvalidInput, UserDeleted } from '../errors.ts'
import type { AccessTokenIssuer, IssuedToken } from '../ports/access-token-issuer.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import type { UserReader } from '../ports/user-store.ts'
import { parseUserId } from '../users/user-id.ts'
import type { AccessControl } from './access-control.ts'
import type { Caller } from './caller.ts'
import { parseRoles } from './roles.ts'

export interface IssueTokenCommand {
  readonly subject: string
  readonly roles: readonly string[]
  /** Seconds, from 1 to a year. */
  readonly lifetime: number
}

/** Seconds. */
export const LONGEST_TOKEN_LIFETIME = 366 * 24 * 3600

export class IssueTokenUseCase {
  readonly #access: AccessControl
  readonly #issuer: AccessTokenIssuer
  readonly #users: Pick<UserReader, 'standing'>
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail

  constructor(ports: {
    access: AccessControl
    issuer: AccessTokenIssuer
    users: Pick<UserReader, 'standing'>
    unitOfWork: UnitOfWork
    trail: AuditTrail
  }) {
    this.#access = ports.access
    this.#issuer = ports.issuer
    this.#users = ports.users
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
  }

  /**
   * Issues one access token; the trail has its id, never the token.
   * @throws {InvalidInput} the subject is no user id, a role is unknown, or the lifetime is out of range
   * @throws {UserDeleted} the subject was deleted: its tokens are refused for ever
   * @throws {OwnTokensOff} an identity provider issues the tokens
   */
  async execute({ subject, roles, lifetime }: IssueTokenCommand, caller: Caller): Promise<IssuedToken> {
    const attempt = { action: 'token.issue', target: subject } as const
    this.#access.require(caller, 'tokens:issue', attempt)
    const id = parseUserId(subject, 'subject')
    const known = parseRoles(roles, this.#access.policy)
    if (!(Number.isInteger(lifetime) && lifetime >= 1 && lifetime <= LONGEST_TOKEN_LIFETIME))
      throw new InvalidInput([{ field: 'ttl', message: 'Give a lifetime from 1s to 366d.' }])
    if ((await this.#users.standing(id)) === 'deleted') throw new UserDeleted()
    const issued = await this.#issuer.issue({ subject: id, roles: known, lifetime })
    const reason = `token ${issued.tokenId}`
    await this.#unitOfWork.run(({ audit }) => this.#trail.done(audit, caller, attempt, reason))
    return issued
  }
}
