import type { Caller } from '../access/caller.ts'
import type { ListedToken } from '../access-tokens/access-token-store.ts'
import type { AuditRecord } from '../audit/audit-store.ts'
import type { ConsoleSession } from '../console/console-session.ts'
import { UserNotFound } from '../errors.ts'
import type { Deliverability } from '../feedback/deliverability-store.ts'
import type { WaitingFeedback } from '../feedback/feedback-store.ts'
import { fieldsMadeVisible } from '../feeds/visible-fields.ts'
import { eachOf, type Stretch } from '../page.ts'
import type { WaitingRequest } from '../sign-up/waiting-request.ts'
import { addressHash } from '../subscriptions/email-address.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { UseCase } from '../use-case.ts'
import { findUser, GetUserUseCase } from './read-users-use-cases.ts'
import type { User } from './user.ts'

export interface UserExport {
  readonly user: User
  /** Of the same address. They belong to no account, but the owner of the address may want to know of them. */
  readonly subscriptions: readonly Subscription[]
  /** What came back of mails to the same address, if anything did. */
  readonly deliverability: Deliverability | undefined
  /** What senders reported of the address that waits for an administrator, the oldest first. */
  readonly waitingFeedback: readonly WaitingFeedback[]
  /** What was asked about the address and could not be carried out yet, oldest first. */
  readonly waitingRequests: readonly WaitingRequest[]
  /** Those that were issued to it here, oldest first. */
  readonly tokens: AsyncIterable<ListedToken>
  /** Its sessions of the console, oldest first. */
  readonly sessions: AsyncIterable<ConsoleSession>
  /** The actions by the user, and on the user, oldest first. */
  readonly audit: AsyncIterable<AuditRecord>
}

export class ExportUserUseCase extends UseCase<
  'access' | 'digests' | 'requests',
  | 'accessTokens'
  | 'audit'
  | 'consoleSessions'
  | 'deliverability'
  | 'feedback'
  | 'feeds'
  | 'requests'
  | 'subscriptions'
  | 'users'
> {
  static readonly permission = 'users:export'
  static readonly action = 'user.export'

  /**
   * For the user itself, and for callers who may export users.
   * @throws {UserNotFound} no such user, or the caller may not know of it: the caller cannot distinguish the two
   * @throws {InsufficientPermissions} the caller may read users, but not export them
   * @throws {UserDeleted} the id existed; only for callers who may read users
   */
  async execute({ userId }: { readonly userId: string }, caller: Caller): Promise<UserExport> {
    await this.#require(caller, userId)
    const user = await findUser(this.ports.readers.users, userId)
    const { digests, readers } = this.ports
    await this.ports.requests.settled()
    const address = addressHash(digests, user.emailKey)
    const found = await readers.subscriptions.ofAddress(address)
    const subscriptions = await Promise.all(found.map(fieldsMadeVisible(readers.feeds)))
    const ofSubject = (stretch: Stretch) => ({ ...stretch, subject: user.id })
    return {
      user,
      subscriptions,
      deliverability: await readers.deliverability.find(address),
      waitingFeedback: await readers.feedback.ofAddress(address),
      waitingRequests: await readers.requests.ofAddress(address),
      tokens: eachOf((stretch) => readers.accessTokens.list(ofSubject(stretch))),
      sessions: eachOf((stretch) => readers.consoleSessions.list(ofSubject(stretch))),
      audit: this.#auditOf(user),
    }
  }

  async #require(caller: Caller, userId: string): Promise<void> {
    if (caller.id === userId) return
    const { access } = this.ports
    const { permission, action } = ExportUserUseCase
    const mayRead = await access.allows(caller, GetUserUseCase.permission, userId)
    if (!mayRead && !(await access.allows(caller, permission, userId)))
      throw access.refused(caller, { action, target: userId }, new UserNotFound())
    await access.require(caller, ExportUserUseCase, userId)
  }

  async *#auditOf({ id }: User): AsyncGenerator<AuditRecord> {
    for await (const record of eachOf((stretch) => this.ports.readers.audit.list(stretch)))
      if (record.actor === id || record.target === id) yield record
  }
}
