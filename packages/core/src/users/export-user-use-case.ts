import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditRecord } from '../audit/audit-record.ts'
import { UserDeleted, UserNotFound } from '../errors.ts'
import type { Digests } from '../ports/digests.ts'
import type { Readers } from '../ports/readers.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { subscriptionsOf } from '../subscriptions/subscriptions-of.ts'
import type { User } from './user.ts'
import { asUserId } from './user-id.ts'

/** Everything that is stored about a user. */
export interface UserExport {
  readonly user: User
  /** Of the same address. They are nobody's account; but whose address it is may want to know. */
  readonly subscriptions: readonly Subscription[]
  /** What the user did, and what was done to it, oldest first. */
  readonly audit: AsyncIterable<AuditRecord>
}

const STRETCH = 500

export class ExportUserUseCase {
  readonly #access: AccessControl
  readonly #readers: Readers
  readonly #digests: Digests

  constructor(ports: { access: AccessControl; readers: Readers; digests: Digests }) {
    this.#access = ports.access
    this.#readers = ports.readers
    this.#digests = ports.digests
  }

  /**
   * For the user itself, and for who may export users.
   * @throws {UserNotFound} no such user, or the caller may not know of it: the two cannot be told apart
   * @throws {InsufficientPermissions} the caller may read users, but not export them
   * @throws {UserDeleted} the id existed; told only to who may read users
   */
  async execute({ userId }: { readonly userId: string }, caller: Caller): Promise<UserExport> {
    this.#require(caller, userId)
    const { users } = this.#readers
    const id = asUserId(userId)
    const user = id && (await users.find(id))
    if (!user) throw id && (await users.standing(id)) === 'deleted' ? new UserDeleted() : new UserNotFound()
    const subscriptions = await subscriptionsOf(this.#readers, this.#digests, user.emailKey)
    return { user, subscriptions, audit: this.#auditOf(user) }
  }

  #require(caller: Caller, userId: string): void {
    if (caller.id === userId) return
    const attempt = { action: 'user.export', target: userId } as const
    if (this.#access.policy.allows(caller, 'users:export') || this.#access.policy.allows(caller, 'users:read')) {
      this.#access.require(caller, 'users:export', attempt)
      return
    }
    const hidden = new UserNotFound()
    this.#access.refused(caller, attempt, hidden)
    throw hidden
  }

  async *#auditOf({ id }: User): AsyncGenerator<AuditRecord> {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const { items, next } = await this.#readers.audit.list({ after, limit: STRETCH })
      for (const record of items) if (record.actor === id || record.target === id) yield record
      after = next
    }
  }
}
