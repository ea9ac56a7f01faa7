import type { Door } from '../access/admit.ts'
import type { Caller } from '../access/caller.ts'
import { InvalidInput, UserDeleted, UserNotFound } from '../errors.ts'
import type { Instant } from '../instant.ts'
import { UseCase } from '../use-case.ts'
import { type AccountStatus, parseUserId } from '../users/user.ts'
import { LOGIN_LINK_LIFE } from './console-session.ts'

export interface IssuedLoginLink {
  /** What the link ends with; shown only here. */
  readonly secret: string
  readonly subject: string
  readonly expiresAt: Instant
}

/** A link that logs in to the console, once and soon. */
export class IssueLoginLinkUseCase extends UseCase<
  'access' | 'clock' | 'digests' | 'randomness' | 'trail' | 'unitOfWork'
> {
  static readonly permission = 'tokens:issue'
  static readonly action = 'session.link'

  /**
   * For the caller itself, or for a stored user.
   * @throws {UserNotFound} there is no such user, so there are no roles to check
   * @throws {UserDeleted}
   */
  async execute({ subject }: { readonly subject?: string | undefined }, caller: Caller): Promise<IssuedLoginLink> {
    const { access, clock, digests, randomness, trail, unitOfWork } = this.ports
    const named = subject ?? caller.id
    const attempt = await access.require(caller, IssueLoginLinkUseCase, named)
    // An operator is on the machine itself, and stored nowhere.
    const door: Door = subject === undefined && caller.roleSource === 'operator' ? 'operator' : 'link'
    const userId = door === 'operator' ? undefined : parseUserId(named, 'subject')
    const secret = randomness.hex(32)
    const issuedAt = clock.now()
    const expiresAt = issuedAt + LOGIN_LINK_LIFE
    await unitOfWork.run(async ({ loginLinks, audit, users }) => {
      if (userId !== undefined) requireGood(await users.accountStatus(userId))
      await loginLinks.add({ secretHash: digests.sha256(secret), door, subject: named, issuedAt, expiresAt })
      await trail.done(audit, caller, attempt)
    })
    return { secret, subject: named, expiresAt }
  }
}

const requireGood = (status: AccountStatus): void => {
  if (status === 'deleted') throw new UserDeleted()
  if (status === undefined) throw new UserNotFound()
  if (status === 'suspended')
    throw new InvalidInput([{ field: 'subject', message: 'This user is suspended. Resume the user first.' }])
}
