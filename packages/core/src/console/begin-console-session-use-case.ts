import { admitNow } from '../access/admit.ts'
import type { Caller } from '../access/caller.ts'
import { Unauthenticated } from '../errors.ts'
import type { Instant } from '../instant.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { asUserId } from '../users/user.ts'
import { type ConsoleSession, LONGEST_SESSION } from './console-session.ts'
import { secretOf } from './session-secret.ts'

/** One of the two, and what the browser had before. */
export type BeginConsoleSessionCommand = {
  /** Of the session that the browser had: it ends, so that no id outlives a login. */
  readonly previous?: string | undefined
  readonly requestId?: string | undefined
} & (
  | { /** Of a login link. */ readonly link: string }
  | {
      /** An access token of the identity provider, fresh from it. */
      readonly token: string
      /** Who its ID token says logged in. */
      readonly subject: string
      /** When they showed there who they are, as its ID token says; without it, the session is never fresh. */
      readonly loggedInAt?: Instant | undefined
    }
)

export interface BegunConsoleSession {
  /** For the browser alone; shown only here. */
  readonly secret: string
  readonly session: ConsoleSession
  readonly caller: Caller
}

type Beginning = Pick<ConsoleSession, 'door' | 'subject' | 'roles' | 'feeds' | 'tokenId' | 'issuedAt' | 'expiresAt'>

export class BeginConsoleSessionUseCase extends UseCase<
  'access' | 'clock' | 'digests' | 'randomness' | 'trail' | 'unitOfWork' | 'verifier'
> {
  static readonly action = 'session.begin'

  /**
   * Logs in. The secret is new, whatever the browser had before. That it was refused is noted for the audit trail.
   * @throws {Unauthenticated} the link was used, or is too old; the token is not good; or its user may not log in
   */
  async execute(command: BeginConsoleSessionCommand): Promise<BegunConsoleSession> {
    let subject: string | undefined
    try {
      const verified = 'token' in command ? await this.#ofToken(command) : undefined
      subject = verified && asUserId(verified.subject)
      return await this.ports.unitOfWork.run(async (stores) => {
        const beginning = 'link' in command ? await this.#ofLink(stores, command) : verified
        if (beginning === undefined) throw usedUp()
        subject = asUserId(beginning.subject)
        return await this.#begin(stores, beginning, command)
      })
    } catch (error) {
      throw error instanceof Unauthenticated ? this.refused(error, { requestId: command.requestId, subject }) : error
    }
  }

  /**
   * Notes that a login was refused, also before it came this far, as by the identity provider; returns the error.
   * @param of whom it was for, if that is known and can be a user: anything else may say who a person is
   */
  refused(
    error: Unauthenticated,
    of: { readonly requestId?: string | undefined; readonly subject?: string | undefined },
  ): Unauthenticated {
    const { action } = BeginConsoleSessionUseCase
    this.ports.access.refused({ ...NOT_LOGGED_IN, requestId: of.requestId }, { action, target: of.subject }, error)
    return error
  }

  async #begin(
    stores: Stores,
    beginning: Beginning,
    command: BeginConsoleSessionCommand,
  ): Promise<BegunConsoleSession> {
    const { clock, digests, randomness, trail } = this.ports
    const { previous, requestId } = command
    // A deletion of its user waits for this unit, or is seen by it: no session stays behind.
    const caller = await admitNow(stores.users, beginning, { channel: 'console', requestId })
    const [random, id, now] = [randomness.hex(32), randomness.hex(8), clock.now()]
    const { loggedInAt } = 'token' in command ? command : { loggedInAt: undefined }
    // A clock of a provider that is ahead makes no login fresh for longer.
    const secret = secretOf(random, loggedInAt && Math.min(loggedInAt, now))
    const { roleSource } = caller
    const session = { ...beginning, id, secretHash: digests.sha256(secret), roleSource, createdAt: now, seenAt: now }
    const old = previous && (await stores.consoleSessions.find(digests.sha256(previous)))
    if (old) await stores.consoleSessions.remove(old.id)
    await stores.consoleSessions.add(session)
    await trail.done(stores.audit, caller, { action: BeginConsoleSessionUseCase.action, target: id })
    return { secret, session, caller }
  }

  /** Of two that come with the same link, one finds it gone. */
  async #ofLink({ loginLinks }: Stores, { link }: { readonly link: string }): Promise<Beginning> {
    const now = this.ports.clock.now()
    const hash = this.ports.digests.sha256(link)
    const found = await loginLinks.find(hash)
    if (found === undefined || found.expiresAt < now || !(await loginLinks.remove(hash))) throw usedUp()
    const { door, subject, issuedAt } = found
    const expiresAt = now + LONGEST_SESSION
    return { door, subject, roles: [], feeds: undefined, tokenId: undefined, issuedAt, expiresAt }
  }

  async #ofToken({ token, subject: named }: { token: string; subject: string }): Promise<Beginning> {
    const verified = await this.ports.verifier.verify(token)
    if (verified.opens !== undefined)
      throw new Unauthenticated('This token opens no console.', { tokenRefused: true, failedCheck: 'channel' })
    if (verified.subject !== named)
      throw new Unauthenticated('The provider sent two tokens of different people. Log in again.', {
        tokenRefused: true,
        failedCheck: 'sub',
      })
    const { subject, roles, feeds, tokenId, issuedAt = 0, expiresAt = Number.POSITIVE_INFINITY } = verified
    const end = Math.min(this.ports.clock.now() + LONGEST_SESSION, expiresAt)
    return { door: 'token', subject, roles, feeds, tokenId, issuedAt, expiresAt: end }
  }
}

/** No caller has this id: ids have no spaces. */
const NOT_LOGGED_IN: Caller = { id: 'not logged in', roles: [], roleSource: 'token', channel: 'console' }

const usedUp = (): Unauthenticated =>
  new Unauthenticated('This link was used already, or is older than a minute. Print a new one.', {
    tokenRefused: true,
    failedCheck: 'link',
  })
