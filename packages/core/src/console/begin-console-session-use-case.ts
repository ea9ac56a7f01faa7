import { type Caller, OPERATOR_PREFIX, operator } from '../access/caller.ts'
import { liveCaller } from '../access-tokens/authenticate-use-case.ts'
import { Unauthenticated } from '../errors.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { type ConsoleSession, LONGEST_SESSION } from './console-session.ts'

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
    }
)

export interface BegunConsoleSession {
  /** For the browser alone; shown only here. */
  readonly secret: string
  readonly session: ConsoleSession
  readonly caller: Caller
}

type Beginning = Pick<ConsoleSession, 'subject' | 'roles' | 'tokenId' | 'issuedAt' | 'expiresAt'>

export class BeginConsoleSessionUseCase extends UseCase<
  'clock' | 'digests' | 'randomness' | 'trail' | 'unitOfWork' | 'verifier'
> {
  static readonly action = 'session.begin'

  /**
   * Logs in. The secret is new, whatever the browser had before.
   * @throws {Unauthenticated} the link was used, or is too old; the token is not good; or its user was deleted
   */
  async execute(command: BeginConsoleSessionCommand): Promise<BegunConsoleSession> {
    const { clock, digests, randomness, unitOfWork } = this.ports
    const secret = randomness.hex(32)
    const id = randomness.hex(8)
    const now = clock.now()
    const verified = 'token' in command ? await this.#ofToken(command, now) : undefined
    const { session, caller } = await unitOfWork.run(async (stores) => {
      const beginning = 'link' in command ? await this.#ofLink(stores, command, now) : verified
      if (beginning === undefined) throw usedUp()
      // A deletion of its user waits for this unit, or is seen by it: no session stays behind.
      const caller = await sessionCaller(stores.users, beginning, command.requestId)
      const { roleSource } = caller
      const session = { ...beginning, id, secretHash: digests.sha256(secret), roleSource, createdAt: now, seenAt: now }
      const old = command.previous && (await stores.consoleSessions.find(digests.sha256(command.previous)))
      if (old) await stores.consoleSessions.remove(old.id)
      await stores.consoleSessions.add(session)
      await this.ports.trail.done(stores.audit, caller, { action: BeginConsoleSessionUseCase.action, target: id })
      return { session, caller }
    })
    return { secret, session, caller }
  }

  /** Of two that come with the same link, one finds it gone. */
  async #ofLink({ loginLinks }: Stores, { link }: { readonly link: string }, now: number): Promise<Beginning> {
    const hash = this.ports.digests.sha256(link)
    const found = await loginLinks.find(hash)
    if (found === undefined || found.expiresAt < now || !(await loginLinks.remove(hash))) throw usedUp()
    return operatorOrUser(found.subject, now)
  }

  async #ofToken({ token, subject }: { token: string; subject: string }, now: number): Promise<Beginning> {
    const verified = await this.ports.verifier.verify(token)
    if (verified.subject !== subject)
      throw new Unauthenticated('The provider sent two tokens of different people. Log in again.', {
        tokenRefused: true,
        failedCheck: 'sub',
      })
    const expiresAt = Math.min(now + LONGEST_SESSION, verified.expiresAt ?? now + LONGEST_SESSION)
    if (verified.feeds !== undefined && verified.feeds.length > 0) throw bound()
    const { roles, tokenId, issuedAt = now } = verified
    return { subject, roles, tokenId, issuedAt, expiresAt }
  }
}

const operatorOrUser = (subject: string, now: number): Beginning => ({
  ...{ subject, roles: [], tokenId: undefined },
  ...{ issuedAt: now, expiresAt: now + LONGEST_SESSION },
})

const bound = (): Unauthenticated =>
  new Unauthenticated('This login is bound to feeds, and the console shows all of them. Log in as another user.', {
    tokenRefused: true,
    failedCheck: 'feeds',
  })

const usedUp = (): Unauthenticated =>
  new Unauthenticated('This link was used already, or is older than a minute. Print a new one.', { tokenRefused: true })

/**
 * Who a session speaks for now: the same look as at a token.
 * @throws {Unauthenticated} the user was deleted, or is no longer stored where only storage says who it is
 */
export const sessionCaller = async (
  users: Parameters<typeof liveCaller>[0],
  session: Beginning,
  requestId: string | undefined,
): Promise<Caller> => {
  const { subject, tokenId } = session
  if (subject.startsWith(OPERATOR_PREFIX))
    return { ...operator(subject.slice(OPERATOR_PREFIX.length)), channel: 'console', requestId }
  const caller = await liveCaller(users, session, { channel: 'console', requestId })
  if (caller.roleSource === 'token' && tokenId === undefined && session.roles.length === 0)
    throw new Unauthenticated('The user of this session is not stored any more. Log in again.', { tokenRefused: true })
  return caller
}
