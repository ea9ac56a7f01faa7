import { admitNow } from '../access/admit.ts'
import type { Caller } from '../access/caller.ts'
import { Unauthenticated } from '../errors.ts'
import { MINUTE } from '../instant.ts'
import { UseCase } from '../use-case.ts'
import { type ConsoleSession, isFresh, isOver } from './console-session.ts'
import { isSecret, lastLoginOf } from './session-secret.ts'

export interface ResumedSession {
  readonly session: ConsoleSession
  readonly caller: Caller
  /** Whether the login is young enough for what does the most harm. */
  readonly isFresh: boolean
}

/** Turns a secret of a browser into a caller, for one request. A user who was deleted or demoted is out at once. */
export class ResumeConsoleSessionUseCase extends UseCase<
  'clock' | 'digests' | 'unitOfWork' | 'uses',
  'consoleSessions' | 'users'
> {
  /** @throws {Unauthenticated} there is no such session, it is over, or its user was deleted */
  async execute({
    secret,
    requestId,
  }: {
    readonly secret: string | undefined
    readonly requestId?: string | undefined
  }): Promise<ResumedSession> {
    const { clock, digests, readers } = this.ports
    if (secret === undefined || !isSecret(secret)) throw over()
    const session = await readers.consoleSessions.find(digests.sha256(secret))
    if (session === undefined) throw over()
    const now = clock.now()
    if (isOver(session, now)) return await this.#refuse(session, over())
    try {
      const caller = await admitNow(readers.users, session, { channel: 'console', requestId })
      if (now - session.seenAt >= MINUTE)
        await this.ports.unitOfWork.run(({ consoleSessions }) => consoleSessions.touch(session.id, now))
      if (caller.roleSource === 'stored') this.ports.uses.noteUser(caller.id)
      return { session, caller, isFresh: isFresh(lastLoginOf(session, secret), now) }
    } catch (error) {
      return error instanceof Unauthenticated ? await this.#refuse(session, error) : Promise.reject(error)
    }
  }

  /** What is over stays over, also if a clock is put back. */
  async #refuse({ id }: ConsoleSession, error: Unauthenticated): Promise<never> {
    await this.ports.unitOfWork.run(({ consoleSessions }) => consoleSessions.remove(id))
    throw error
  }
}

const over = (): Unauthenticated => new Unauthenticated('You are not logged in any more.', { tokenRefused: true })
